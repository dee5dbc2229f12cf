#include "mapping/published/treematch/treematch.hpp"

#include <algorithm>
#include <numeric>

#include "mapping/budget.hpp"

namespace kith::treematch {

// Algorithm 3 of the paper, TopoMatchConst: from the top of the tree the communication is
// partitioned into as many parts as an object has children, each as large as the number of usable
// slots below the child. Unequal trees are the same case: their missing leaves are not usable.
//
// Open in the paper and chosen here: with fewer ranks than slots, an object uses those children
// that have most slots until all its ranks fit, the leftmost among equals, and silent elements fill
// the parts up; where ranks are to be spread evenly, all children are used in proportion.
// `capacity` ranks fit on a slot, as with the paper's additional level of leaves.

namespace {

class Constrained {
 public:
  Constrained(const MapTask& problem, const TreeMachine& tree, const TreeOptions& options)
      : problem_(problem),
        tree_(tree),
        options_(options),
        leaves_(tree.allowed_leaves(most_leaves(problem.graph.ranks()))) {
    mapping_.slot_of.resize(problem.graph.ranks());
  }

  Mapping run() {
    std::vector<std::uint32_t> ranks(problem_.graph.ranks());
    std::iota(ranks.begin(), ranks.end(), 0U);
    place(0, 0, leaves_.size(), elements_of(problem_.graph), ranks);
    return std::move(mapping_);
  }

 private:
  static std::uint64_t most_leaves(std::uint64_t ranks) {
    constexpr std::uint64_t few = 1'000'000;
    return std::max(4 * ranks, few);
  }

  /// leaves_[first] .. leaves_[end - 1], below one child.
  struct Child {
    std::size_t first;
    std::size_t end;
    std::uint64_t ranks = 0;  // that it gets
  };

  /// The usable leaves first .. end-1 are below one object of depth `level`; element i of `graph`
  /// is rank ranks[i].
  void place(unsigned level, std::size_t first, std::size_t end, const ElementGraph& graph,
             const std::vector<std::uint32_t>& ranks) {
    std::vector<Child> children;
    while (level < tree_.depth()) {
      children = used_children(level, first, end, ranks.size());
      if (children.size() > 1) break;
      first = children.front().first;
      end = children.front().end;
      ++level;
    }
    if (level == tree_.depth()) {
      const Slot slot = tree_.slot_of_leaf(leaves_[first]);
      for (const std::uint32_t r : ranks) mapping_.slot_of[r] = slot;
      return;
    }
    std::vector<std::uint32_t> sizes;
    for (const Child& child : children) sizes.push_back(static_cast<std::uint32_t>(child.ranks));
    ElementGraph padded = graph;
    padded.pad(std::accumulate(sizes.begin(), sizes.end(), 0U));
    auto part_of = k_partition(padded, sizes, options_.partition);
    part_of.resize(ranks.size());  // without those that filled up
    const Groups lists = groups_of(part_of, static_cast<std::uint32_t>(children.size()));
    const auto graphs = split(graph, part_of, lists);
    for (std::uint32_t c = 0; c < children.size(); ++c) {
      std::vector<std::uint32_t> below;
      for (const std::uint32_t element : lists.of(c)) below.push_back(ranks[element]);
      if (!below.empty()) {
        place(level + 1, children[c].first, children[c].end, graphs[c], below);
      }
    }
  }

  std::vector<Child> used_children(unsigned level, std::size_t first, std::size_t end,
                                   std::uint64_t ranks) const {
    std::vector<Child> children;
    for (std::size_t at = first; at < end;) {
      const std::uint64_t object = tree_.ancestor(leaves_[at], level + 1);
      const std::uint64_t behind = tree_.first_leaf(level + 1, object + 1);
      const auto next =
          std::lower_bound(leaves_.begin() + static_cast<std::ptrdiff_t>(at),
                           leaves_.begin() + static_cast<std::ptrdiff_t>(end), behind);
      children.push_back({at, static_cast<std::size_t>(next - leaves_.begin())});
      at = children.back().end;
    }
    if (problem_.options.least > 0) {
      spread(children, end - first, ranks);
    } else {
      keep_largest(children, ranks);
    }
    return children;
  }

  static void spread(std::vector<Child>& children, std::uint64_t slots, std::uint64_t ranks) {
    std::uint64_t before = 0;
    for (Child& child : children) {
      const std::uint64_t after = before + (child.end - child.first);
      child.ranks = after * ranks / slots - before * ranks / slots;
      before = after;
    }
  }

  void keep_largest(std::vector<Child>& children, std::uint64_t ranks) const {
    std::ranges::stable_sort(children, std::greater{},
                             [](const Child& child) { return child.end - child.first; });
    std::uint64_t room = 0;
    std::size_t used = 0;
    while (room < ranks) {
      Child& child = children[used++];
      child.ranks = (child.end - child.first) * problem_.options.capacity;
      room += child.ranks;
    }
    children.resize(used);
    std::ranges::sort(children, {}, &Child::first);
  }

  const MapTask problem_;
  const TreeMachine& tree_;
  const TreeOptions& options_;
  std::vector<std::uint32_t> leaves_;  // of the usable slots, ascending
  Mapping mapping_;
};

}  // namespace

Mapping map_by_partition(const MapTask& problem, const TreeMachine& tree,
                         const TreeOptions& options) {
  return Constrained(problem, tree, options).run();
}

namespace {

/// The groups of one level.
struct LevelGroups {
  std::uint32_t arity;  // children of each object
  std::vector<std::uint32_t> group_of;
  std::uint32_t groups;
};

/// Parts of nearly equal size, so that no slot gets more than one rank above another.
LevelGroups spread_evenly(const ElementGraph& graph, std::uint32_t slots, std::uint32_t capacity,
                          const PartitionOptions& options) {
  std::vector<std::uint32_t> sizes(slots, graph.size() / slots);
  for (std::uint32_t i = 0; i < graph.size() % slots; ++i) ++sizes[i];
  auto part_of = k_partition(graph, sizes, options);
  number_by_lowest(part_of, slots);
  return {capacity, std::move(part_of), slots};
}

/// The place of each rank among the leaves of the tree with `arities`, top down, from its groups,
/// bottom up.
std::vector<std::uint32_t> places_of(const std::vector<LevelGroups>& levels) {
  std::vector<std::uint32_t> place{0};  // of each element of the level above
  for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
    std::vector<std::uint32_t> below(level->group_of.size());
    std::vector<std::uint32_t> members(level->groups, 0);
    for (std::size_t e = 0; e < below.size(); ++e) {
      const std::uint32_t group = level->group_of[e];
      below[e] = place[group] * level->arity + members[group]++;
    }
    place = std::move(below);
  }
  return place;
}

}  // namespace

Mapping map_by_groups(const MapTask& problem, const TreeMachine& tree, const TreeOptions& options) {
  std::vector<std::uint32_t> arities = *tree.allowed_arities();
  std::erase(arities, 1U);
  const std::uint32_t capacity = problem.options.capacity;
  if (capacity > 1) arities.push_back(capacity);  // the additional level of leaves
  std::vector<LevelGroups> levels;
  ElementGraph elements = elements_of(problem.graph);
  for (std::size_t l = arities.size(); l-- > 0;) {
    const std::uint32_t arity = arities[l];
    const bool on_slots = capacity > 1 && l + 1 == arities.size();
    if (on_slots && problem.options.least > 0 && elements.size() % tree.slots() != 0) {
      levels.push_back(spread_evenly(elements, tree.slots(), capacity, options.partition));
    } else {
      const std::uint32_t groups = elements.size() / arity + (elements.size() % arity > 0 ? 1 : 0);
      elements.pad(groups * arity);
      levels.push_back(
          {arity, group_elements(elements, arity, options.threshold, options.partition), groups});
    }
    elements =
        communication_between(elements, groups_of(levels.back().group_of, levels.back().groups));
  }
  const auto places = places_of(levels);
  Mapping mapping;
  for (std::uint32_t r = 0; r < problem.graph.ranks(); ++r) {
    mapping.slot_of.push_back(tree.slot_of_leaf(places[r] / capacity));
  }
  return mapping;
}

}  // namespace kith::treematch
