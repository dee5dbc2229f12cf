#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include "core/parallel.hpp"
#include "kith/detail/tree_machine.hpp"
#include "kith/error.hpp"
#include "kith/mapper.hpp"
#include "mapping/budget.hpp"
#include "mapping/element_graph.hpp"
#include "mapping/registry.hpp"
#include "mapping/slot_tree.hpp"
#include "objective/wide.hpp"

namespace kith {
namespace {

// From tasks to slots: EagerMap on any machine.

// Algorithm 1 on a symmetric tree, algorithm 5, and section 3.6 for everything else: tasks are
// divided between the machines of a cluster or grid, then each is mapped on its own. The
// end of this file says what the paper leaves open.

// EagerMap's greedy groups: its algorithms 2 and 3 with what the extensions make of them.

/// Algorithm 3, element by element. O(degree log) each.
class GroupMaker {
 public:
  explicit GroupMaker(const ElementGraph& graph)
      : graph_(graph), chosen_(graph.size()), gain_(graph.size()) {}

  /// Adds to the present group the element that communicates most with it, the lowest of equals.
  /// Precondition: one is left.
  std::uint32_t add();
  void close_group();
  std::uint32_t left() const {
    return graph_.size() - static_cast<std::uint32_t>(groups_.members.size());
  }
  Groups take() { return std::move(groups_); }

 private:
  struct Candidate {
    Weight gain;
    std::uint32_t element;
    /// The top of the heap has the largest gain, then the lowest index.
    bool operator<(const Candidate& other) const {
      return gain != other.gain ? gain < other.gain : element > other.element;
    }
  };

  std::uint32_t choose();
  void add_gains_of(std::uint32_t winner);

  const ElementGraph& graph_;
  Groups groups_;
  std::vector<bool> chosen_;
  std::vector<Weight> gain_;  // communication with the present group
  std::vector<std::uint32_t> touched_;
  std::priority_queue<Candidate> heap_;
  std::uint32_t lowest_ = 0;  // all below are chosen
};

/// What a group of algorithm 6 is made for.
struct LoadShare {
  std::uint64_t slots = 1;  ///< the load of the group is to be in proportion to these
  std::uint64_t most = 1;   ///< elements that fit
};

/// Algorithms 6 and 7: a group takes elements until its load reaches the share that falls to it of
/// what the groups before it have left. But it takes one at least, no more than fit, and no fewer
/// than the groups after it have room to leave; so the last group takes all that is left.
class LoadGroupMaker {
 public:
  /// `loads` of each element; `all`: the sums over all groups that are to be made. All elements
  /// must fit.
  LoadGroupMaker(const ElementGraph& graph, std::span<const Wide> loads, LoadShare all);

  bool done() const { return maker_.left() == 0; }
  /// Precondition: not done().
  void add_group(LoadShare share);
  Groups take() { return maker_.take(); }

 private:
  GroupMaker maker_;
  std::span<const Wide> loads_;
  Wide load_left_;
  LoadShare left_;
};

std::uint32_t GroupMaker::add() {
  // The gains of the last one are only needed now that another follows.
  if (groups_.members.size() > groups_.offsets.back()) add_gains_of(groups_.members.back());
  const std::uint32_t winner = choose();
  chosen_[winner] = true;
  groups_.members.push_back(winner);
  return winner;
}

void GroupMaker::close_group() {
  groups_.close_group();
  for (const std::uint32_t element : touched_) gain_[element] = 0;
  touched_.clear();
  heap_ = {};
}

std::uint32_t GroupMaker::choose() {
  while (!heap_.empty()) {
    const Candidate best = heap_.top();
    heap_.pop();
    // Gains only grow: an element's newest entry comes first, its older ones when it is chosen.
    if (!chosen_[best.element]) return best.element;
  }
  while (chosen_[lowest_]) ++lowest_;
  return lowest_;
}

void GroupMaker::add_gains_of(std::uint32_t winner) {
  for (std::uint64_t e = graph_.offsets[winner]; e < graph_.offsets[winner + 1ULL]; ++e) {
    const std::uint32_t element = graph_.neighbours[e];
    if (chosen_[element] || graph_.weights[e] == 0) continue;
    if (gain_[element] == 0) touched_.push_back(element);
    gain_[element] += graph_.weights[e];
    heap_.push({gain_[element], element});
  }
}

/// Algorithm 2: at most `available` groups of nearly equal size, the larger ones first.
Groups even_groups(const ElementGraph& graph, std::uint32_t available) {
  GroupMaker maker(graph);
  const std::uint32_t count = std::min(graph.size(), available);
  for (std::uint32_t g = 0; g < count; ++g) {
    const std::uint32_t size = graph.size() / count + (g < graph.size() % count ? 1 : 0);
    for (std::uint32_t i = 0; i < size; ++i) maker.add();
    maker.close_group();
  }
  return maker.take();
}

/// One group for each size, which may be 0; together as many as there are elements.
Groups groups_of_sizes(const ElementGraph& graph, std::span<const std::uint32_t> sizes) {
  GroupMaker maker(graph);
  for (const std::uint32_t size : sizes) {
    for (std::uint32_t i = 0; i < size; ++i) maker.add();
    maker.close_group();
  }
  return maker.take();
}

LoadGroupMaker::LoadGroupMaker(const ElementGraph& graph, std::span<const Wide> loads,
                               LoadShare all)
    : maker_(graph),
      loads_(loads),
      load_left_(std::accumulate(loads.begin(), loads.end(), Wide{0})),
      left_(all) {}

void LoadGroupMaker::add_group(LoadShare share) {
  const std::uint64_t room_after = left_.most - share.most;
  const std::uint64_t least = maker_.left() > room_after ? maker_.left() - room_after : 1;
  const std::uint64_t most = std::min<std::uint64_t>(share.most, maker_.left());
  Wide load = 0;
  for (std::uint64_t taken = 0; taken < most; ++taken) {
    // load >= loadThreshold, which is load_left x share.slots / left.slots.
    if (taken >= least && load * left_.slots >= load_left_ * share.slots) break;
    load += loads_[maker_.add()];
  }
  maker_.close_group();
  load_left_ -= load;
  left_.slots -= share.slots;
  left_.most = room_after;
}

/// Tasks that are mapped together.
struct Part {
  ElementGraph graph;
  std::vector<std::uint32_t> ranks;  ///< of its elements
  std::vector<Wide> loads;           ///< of its elements; empty: they do not count
};

/// A symmetric tree below an object: arities of the shared levels, top down.
using Arities = std::vector<std::uint32_t>;

std::optional<Arities> arities_below(const SlotTree& tree, const SlotTree::Object& object) {
  std::vector<SlotTree::Object> children;
  tree.children(object, children);
  if (children.empty()) return Arities();
  std::optional<Arities> inside = arities_below(tree, children.front());
  if (!inside) return std::nullopt;
  for (std::size_t i = 1; i < children.size(); ++i) {
    if (children[i].slots() != children.front().slots()) return std::nullopt;
    if (arities_below(tree, children[i]) != inside) return std::nullopt;
  }
  inside->insert(inside->begin(), static_cast<std::uint32_t>(children.size()));
  return inside;
}

class Placement {
 public:
  Placement(const MapTask& problem, bool by_load)
      : problem_(problem), by_load_(by_load), tree_(problem.machine) {
    mapping_.slot_of.resize(problem.graph.ranks());
  }

  Mapping place(const Part& part) {
    if (const auto arities = arities_of_all()) {
      place_on_tree(part, *arities, tree_.root(), problem_.options.threads);
    } else {
      const auto nodes = tree_.nodes();
      if (nodes.size() > 1) {
        divide(part, nodes, problem_.options.threads);
      } else {
        place_below(part, tree_.root());
      }
    }
    return std::move(mapping_);
  }

 private:
  /// The whole machine as one symmetric tree, where it is a tree and no network of another kind.
  std::optional<Arities> arities_of_all() const {
    const TreeMachine* tree = problem_.machine.as_tree();
    auto arities = tree == nullptr ? std::nullopt : tree->allowed_arities();
    if (arities) std::erase(*arities, 1U);  // private levels
    return arities;
  }

  void place_below(const Part& part, const SlotTree::Object& object) {
    if (const auto arities = arities_below(tree_, object)) {
      place_on_tree(part, *arities, object, 1);
      return;
    }
    std::vector<SlotTree::Object> children;
    tree_.children(object, children);
    divide(part, children, 1);
  }

  /// Section 3.6.
  void divide(const Part& part, const std::vector<SlotTree::Object>& machines, unsigned threads) {
    const Groups groups = groups_for(part, machines);
    std::vector<std::uint32_t> group_of(part.graph.size());
    std::vector<std::uint32_t> number_in_group(part.graph.size());
    std::vector<std::vector<std::uint32_t>> members(groups.size());
    for (std::uint32_t g = 0; g < groups.size(); ++g) {
      members[g].assign(groups.of(g).begin(), groups.of(g).end());
      std::ranges::sort(members[g]);  // tasks keep their order
      for (std::uint32_t i = 0; i < members[g].size(); ++i) {
        group_of[members[g][i]] = g;
        number_in_group[members[g][i]] = i;
      }
    }
    parallel_for(threads, groups.size(), [&](std::uint32_t g) {
      if (members[g].empty()) return;
      Part inside;
      for (const std::uint32_t element : members[g]) {
        inside.ranks.push_back(part.ranks[element]);
        if (by_load_) inside.loads.push_back(part.loads[element]);
        for (std::uint64_t e = part.graph.offsets[element]; e < part.graph.offsets[element + 1ULL];
             ++e) {
          const std::uint32_t other = part.graph.neighbours[e];
          if (group_of[other] != g) continue;
          inside.graph.neighbours.push_back(number_in_group[other]);
          inside.graph.weights.push_back(part.graph.weights[e]);
        }
        inside.graph.offsets.push_back(inside.graph.neighbours.size());
      }
      place_below(inside, machines[g]);
    });
  }

  Groups groups_for(const Part& part, const std::vector<SlotTree::Object>& machines) const {
    if (by_load_) {
      const auto share_of = [&](std::uint64_t slots) {
        return LoadShare{slots, slots * problem_.options.capacity};
      };
      std::uint64_t slots = 0;
      for (const SlotTree::Object& machine : machines) slots += machine.slots();
      LoadGroupMaker maker(part.graph, part.loads, share_of(slots));
      for (std::size_t m = 0; m < machines.size() && !maker.done(); ++m) {
        maker.add_group(share_of(machines[m].slots()));
      }
      return maker.take();
    }
    std::vector<std::uint64_t> slots;
    slots.reserve(machines.size());
    for (const SlotTree::Object& machine : machines) slots.push_back(machine.slots());
    return groups_of_sizes(part.graph, proportional_shares(part.graph.size(), slots));
  }

  /// Algorithms 1 and 5.
  void place_on_tree(const Part& part, const Arities& arities, const SlotTree::Object& object,
                     unsigned threads) {
    const auto pu_of = map_groups(group_levels(part, arities, threads), arities);
    for (std::size_t element = 0; element < pu_of.size(); ++element) {
      mapping_.slot_of[part.ranks[element]] = tree_.slot(object.first + pu_of[element]);
    }
  }

  /// Algorithm 1, lines 2 to 15. The answer has the groups of the PUs first, those of the topmost
  /// objects last.
  std::vector<Groups> group_levels(const Part& part, const Arities& arities,
                                   unsigned threads) const {
    std::uint32_t objects = 1;
    for (const std::uint32_t arity : arities) objects *= arity;
    std::vector<Groups> levels;
    ElementGraph coarse;
    std::vector<Wide> loads = part.loads;
    std::uint32_t most = problem_.options.capacity;  // elements that an object has room for
    for (std::size_t l = std::max<std::size_t>(arities.size(), 1); l-- > 0;) {
      const ElementGraph& graph = levels.empty() ? part.graph : coarse;
      levels.push_back(by_load_ ? equal_shares(graph, loads, objects, most)
                                : even_groups(graph, objects));
      if (l == 0) break;
      if (by_load_) loads = loads_of(levels.back(), loads);
      coarse = communication_between(graph, levels.back(), threads);  // algorithm 4
      objects /= arities[l];
      most = arities[l];
    }
    return levels;
  }

  /// Algorithm 6 as it stands: the same share for each object.
  static Groups equal_shares(const ElementGraph& graph, std::span<const Wide> loads,
                             std::uint32_t objects, std::uint32_t most) {
    LoadGroupMaker maker(graph, loads, {objects, std::uint64_t{objects} * most});
    while (!maker.done()) maker.add_group({1, most});
    return maker.take();
  }

  static std::vector<Wide> loads_of(const Groups& groups, const std::vector<Wide>& loads) {
    std::vector<Wide> sums(groups.size());
    for (std::uint32_t g = 0; g < groups.size(); ++g) {
      for (const std::uint32_t element : groups.of(g)) sums[g] += loads[element];
    }
    return sums;
  }

  /// Algorithm 5, from the top: the i-th element of a group goes to the i-th object below the
  /// group's. Returns the PU of each task.
  static std::vector<std::uint32_t> map_groups(const std::vector<Groups>& levels,
                                               const Arities& arities) {
    std::vector<std::uint32_t> object_of(levels.back().size());
    for (std::uint32_t g = 0; g < object_of.size(); ++g) object_of[g] = g;
    for (std::size_t l = levels.size(); l-- > 0;) {
      const Groups& groups = levels[l];
      const bool on_pus = l == 0;  // all members stay on the PU of their group
      const std::uint32_t arity = on_pus ? 0 : arities[levels.size() - l];
      std::vector<std::uint32_t> below(groups.members.size());
      for (std::uint32_t g = 0; g < groups.size(); ++g) {
        std::uint32_t place = on_pus ? object_of[g] : object_of[g] * arity;
        for (const std::uint32_t element : groups.of(g)) {
          below[element] = place;
          if (!on_pus) ++place;
        }
      }
      object_of = std::move(below);
    }
    return object_of;
  }

  const MapTask problem_;
  bool by_load_;
  SlotTree tree_;
  Mapping mapping_;
};

/// The mapping of eagermap, or of eagermap-load where there are loads: one per rank, in any unit.
Mapping eager_mapping(const MapTask& problem, std::span<const std::uint64_t> loads) {
  if (problem.graph.ranks() == 0) return {};
  Part part;
  part.graph = elements_of(problem.graph);
  for (std::uint32_t r = 0; r < problem.graph.ranks(); ++r) part.ranks.push_back(r);
  part.loads.assign(loads.begin(), loads.end());
  return Placement(problem, !loads.empty()).place(part);
}

}  // namespace

// EagerMap with loads: algorithms 6 and 7 in place of 2 and 3 of the paper.
//
// A group is full when its load has reached its share of what is left. The paper does not limit the
// number of elements; here capacity wins: a slot takes at most its capacity of ranks, an object at
// most as many groups as it has children, and each takes as many as those after it have no room
// for. So loads only decide where slots may take more ranks than they must. A group
// takes one element at least, or silent ones would never be placed; the last takes all that are
// left, whose loads may be 0. loadThreshold is the exact quotient, not rounded. Where no rank has
// any load, all count alike. Between machines (section 3.6) shares are in proportion to slots.

namespace {

class EagerLoadMapper final : public Mapper {
 public:
  std::string_view name() const override { return "eagermap-load"; }
  std::string_view summary() const override {
    return "as eagermap, but groups are of equal load; needs loads, and room for several ranks per "
           "slot";
  }
  std::string_view source() const override {
    return "Cruz, Diener, Pilla, Navaux: EagerMap, ACM TOPC 5(4), 2019, algorithms 6 and 7";
  }
  bool uses(ExtraInput input) const override { return input == ExtraInput::loads; }
  Answer map(const MapTask& problem) const override {
    std::vector<std::uint64_t> loads = problem.options.loads;
    if (loads.size() != problem.graph.ranks()) {
      throw bad_argument("loads", "the load of each rank, which eagermap-load goes by",
                         loads.empty() ? "none" : std::to_string(loads.size()));
    }
    const auto has_load = [](std::uint64_t load) { return load > 0; };
    if (std::ranges::none_of(loads, has_load)) std::ranges::fill(loads, 1);
    return {eager_mapping(problem, loads), "eagermap-load"};
  }
};

}  // namespace

const Mapper& eagermap_load_mapper() {
  static const EagerLoadMapper mapper;
  return mapper;
}

// EagerMap: Cruz, Diener, Pilla, Navaux: "EagerMap: A Task Mapping Algorithm to Improve
// Communication and Load Balancing in Clusters of Multicore Systems", ACM TOPC 5 (4), 2019:
// algorithms 1 to 5, 8 and section 3.6.
//
// The paper scans all elements for each choice; here only those that communicate with the group are
// looked at, in a heap. Winners and ties are the paper's: the element with the largest
// communication to the group, the lowest index among equals, the lowest element not yet chosen
// where nothing communicates. Line 17 of algorithm 1 begins its loop at 1; that would lose the
// first group, 0 is meant.
//
// Section 3.6, for machines that are no symmetric tree: each node gets as many tasks as its share
// of the slots says, rounded to the nearest whole numbers that add up, ties to the first node; the
// groups are made greedily, node after node; then each node is mapped on its own. In which order
// nodes are filled and which index tasks have inside theirs is left open: theirs. A node that is
// itself no symmetric tree is divided again by the same rule, object by object. Where each node
// holds one slot (torus:8x8) a group is one task, and nothing communicates with an empty group: the
// lowest task left goes to the next node, which is identity.
//
// Algorithm 8 shares the scan for a winner between threads. That scan is gone; what remains of
// choosing winners is too short to be shared. So threads share what else is long and independent:
// the communication between groups of a level (algorithm 4, about half of the time on stencils) and
// the nodes of section 3.6. The answer is the same for any number of them.

namespace {

class EagerMapper final : public Mapper {
 public:
  std::string_view name() const override { return "eagermap"; }
  std::string_view summary() const override {
    return "groups ranks greedily, level by level, on any machine; networks of one-slot nodes get "
           "identity";
  }
  std::string_view source() const override {
    return "Cruz, Diener, Pilla, Navaux: EagerMap, ACM TOPC 5(4), 2019, algorithms 1 to 5 and 8";
  }
  Answer map(const MapTask& problem) const override {
    return {eager_mapping(problem, {}), "eagermap"};
  }
};

}  // namespace

const Mapper& eagermap_mapper() {
  static const EagerMapper mapper;
  return mapper;
}

}  // namespace kith
