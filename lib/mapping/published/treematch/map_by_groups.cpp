// From algorithm 1's groups to places: section 4.2.2 of the paper (grouping.hpp).
//
// Open in the paper and chosen here: with fewer ranks than slots, each level makes as few groups as
// hold all elements, silent elements fill them up: the job takes the fewest objects of each level.
// Several ranks to a slot are the paper's additional level of leaves; where they are to be spread
// evenly over all slots and do not fill them, that level is partitioned into parts of the two
// sizes. The i-th element of a group, by its lowest rank, goes to the i-th child.
#include <algorithm>

#include "mapping/published/treematch/grouping.hpp"
#include "mapping/published/treematch/tree_mapping.hpp"

namespace kith::treematch {
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

Mapping map_by_groups(const MapProblem& problem, const TreeMachine& tree,
                      const TreeOptions& options) {
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
