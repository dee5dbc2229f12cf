// EagerMap, algorithms 1 to 5 of Cruz, Diener, Pilla, Navaux: "EagerMap: A Task Mapping Algorithm
// to Improve Communication and Load Balancing in Clusters of Multicore Systems", ACM TOPC 5 (4),
// 2019.
//
// The paper scans all elements for each choice; here only those that communicate with the group are
// looked at, in a heap. Winners and ties are the paper's: the element with the largest
// communication to the group, the lowest index among equals, the lowest element not yet chosen
// where nothing communicates. Line 17 of algorithm 1 begins its loop at 1; that would lose the
// first group, 0 is meant.
#include <algorithm>
#include <queue>

#include "kith/error.hpp"
#include "kith/tree_machine.hpp"
#include "mapping/element_graph.hpp"
#include "mapping/mappers.hpp"

namespace kith {
namespace {

/// Algorithms 2 and 3.
class GroupMaker {
 public:
  explicit GroupMaker(const ElementGraph& graph)
      : graph_(graph), chosen_(graph.size()), gain_(graph.size()) {}

  /// Algorithm 2: at most `available` groups of nearly equal size, the larger ones first.
  Groups make(std::uint32_t available) {
    Groups groups;
    groups.members.reserve(graph_.size());
    const std::uint32_t count = std::min(graph_.size(), available);
    for (std::uint32_t g = 0; g < count; ++g) {
      add_group(graph_.size() / count + (g < graph_.size() % count ? 1 : 0), groups.members);
      groups.close_group();
    }
    return groups;
  }

 private:
  struct Candidate {
    Weight gain;
    std::uint32_t element;
    /// The top of the heap has the largest gain, then the lowest index.
    bool operator<(const Candidate& other) const {
      return gain != other.gain ? gain < other.gain : element > other.element;
    }
  };

  /// Algorithm 3.
  void add_group(std::uint32_t size, std::vector<std::uint32_t>& members) {
    for (std::uint32_t i = 0; i < size; ++i) {
      const std::uint32_t winner = choose();
      chosen_[winner] = true;
      members.push_back(winner);
      if (i + 1 < size) add_gains_of(winner);
    }
    for (const std::uint32_t element : touched_) gain_[element] = 0;
    touched_.clear();
    heap_ = {};
  }

  std::uint32_t choose() {
    while (!heap_.empty()) {
      const Candidate best = heap_.top();
      heap_.pop();
      // Gains only grow: an element's newest entry comes first, its older ones when it is chosen.
      if (!chosen_[best.element]) return best.element;
    }
    while (chosen_[lowest_]) ++lowest_;
    return lowest_;
  }

  void add_gains_of(std::uint32_t winner) {
    for (std::uint64_t e = graph_.offsets[winner]; e < graph_.offsets[winner + 1]; ++e) {
      const std::uint32_t element = graph_.neighbours[e];
      if (chosen_[element] || graph_.weights[e] == 0) continue;
      if (gain_[element] == 0) touched_.push_back(element);
      gain_[element] += graph_.weights[e];
      heap_.push({gain_[element], element});
    }
  }

  const ElementGraph& graph_;
  std::vector<bool> chosen_;
  std::vector<Weight> gain_;  // communication with the group that grows
  std::vector<std::uint32_t> touched_;
  std::priority_queue<Candidate> heap_;
  std::uint32_t lowest_ = 0;  // all below are chosen
};

/// Algorithm 1, lines 2 to 15. `arities` top down, none of them 1; the answer has the groups of the
/// PUs first, those of the topmost objects last.
std::vector<Groups> group_levels(const TrafficGraph& graph,
                                 const std::vector<std::uint32_t>& arities) {
  std::uint32_t objects = 1;
  for (const std::uint32_t arity : arities) objects *= arity;
  std::vector<Groups> levels;
  ElementGraph elements = elements_of(graph);
  for (std::size_t l = std::max<std::size_t>(arities.size(), 1); l-- > 0;) {
    levels.push_back(GroupMaker(elements).make(objects));
    if (l == 0) break;
    elements = communication_between(elements, levels.back());  // algorithm 4
    objects /= arities[l];
  }
  return levels;
}

/// Algorithm 5, from the top: the i-th element of a group goes to the i-th object below the
/// group's. Returns the PU of each task.
std::vector<std::uint32_t> map_groups(const std::vector<Groups>& levels,
                                      const std::vector<std::uint32_t>& arities) {
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

class EagerMapper final : public Mapper {
 public:
  std::string_view name() const override { return "eagermap"; }
  std::string_view summary() const override {
    return "groups ranks greedily, level by level, on a symmetric tree";
  }
  std::string_view source() const override {
    return "Cruz, Diener, Pilla, Navaux: EagerMap, ACM TOPC 5(4), 2019, algorithms 1 to 5";
  }

  Answer map(const MapProblem& problem) const override {
    const TreeMachine* tree = problem.machine.as_tree();
    auto arities = tree != nullptr ? tree->allowed_arities() : std::nullopt;
    if (!arities) {
      throw bad_input("--algorithm",
                      "for eagermap a machine whose slots in use form a symmetric tree",
                      problem.machine.spec());
    }
    Mapping mapping;
    if (problem.graph.ranks() == 0) return {mapping, "eagermap"};
    std::erase(*arities, 1U);  // private levels
    const auto pu_of = map_groups(group_levels(problem.graph, *arities), *arities);
    // A machine may be much larger than the job: its leaves are listed only where that is needed.
    const bool in_order = tree->slots_in_leaf_order();
    const auto leaves = in_order ? std::vector<std::uint32_t>() : tree->allowed_leaves();
    for (const std::uint32_t pu : pu_of) {
      mapping.slot_of.push_back(in_order ? tree->allowed().at(pu) : tree->slot_of_leaf(leaves[pu]));
    }
    return {std::move(mapping), "eagermap"};
  }
};

}  // namespace

const Mapper& eagermap_mapper() {
  static const EagerMapper mapper;
  return mapper;
}

}  // namespace kith
