#include "mapping/tiling/tree_tiling.hpp"

#include "mapping/tiling/boxes.hpp"
#include "objective/distance.hpp"

namespace kith::tiling {
namespace {

/// The tree of the first `ranks / capacity` allowed leaves, if it is symmetric and full.
std::optional<std::vector<Branching>> branchings(const MapProblem& problem,
                                                 const TreeMachine& tree) {
  const std::uint32_t ranks = problem.graph.ranks();
  const std::uint32_t capacity = problem.options.capacity;
  if (ranks == 0 || ranks % capacity != 0) return std::nullopt;
  const std::uint32_t places = ranks / capacity;
  if (places > tree.allowed().size()) return std::nullopt;
  const auto arities = tree.arities_of(tree.allowed_leaves(places));
  if (!arities) return std::nullopt;
  const TreeDistance distance(tree, problem.options.objective);
  std::vector<Branching> result;
  for (unsigned level = 0; level < tree.depth(); ++level) {
    if ((*arities)[level] == 1) continue;
    result.push_back({(*arities)[level], static_cast<double>(distance.at_level(level))});
  }
  if (capacity > 1) result.push_back({capacity, 0});
  return result;
}

}  // namespace

std::optional<TreeTiling> tile_tree(const MapProblem& problem, const TreeMachine& tree,
                                    const TaskGrid& grid) {
  const auto levels = branchings(problem, tree);
  if (!levels) return std::nullopt;
  const auto boxes = best_boxes(grid, *levels);
  if (!boxes) return std::nullopt;
  const std::uint32_t capacity = problem.options.capacity;
  const auto leaves = tree.allowed_leaves(problem.graph.ranks() / capacity);
  TreeTiling tiling;
  tiling.mapping.slot_of.reserve(problem.graph.ranks());
  for (const Place& place : grid.place_of) {
    const std::uint64_t leaf = leaf_of(grid, place, *boxes) / capacity;
    tiling.mapping.slot_of.push_back(tree.slot_of_leaf(leaves[leaf]));
  }
  for (std::size_t l = boxes->size(); l-- > 0;) {
    const Place& box = (*boxes)[l];
    tiling.blocks.emplace_back(box.begin(), box.begin() + grid.dimensions);
  }
  return tiling;
}

}  // namespace kith::tiling
