// Grids of ranks on trees: boxes where the tree's parts divide the grid, boxes with steps
// elsewhere.
#pragma once

#include <optional>
#include <string>

#include "kith/detail/tree_machine.hpp"
#include "kith/mapper.hpp"
#include "mapping/budget.hpp"
#include "mapping/tiling/slicing.hpp"
#include "mapping/tiling/task_grid.hpp"

namespace kith::tiling {

/// How ranks that are fewer than the slots are spread over the objects of a level.
enum class Filling {
  packed,  ///< as many in each as it holds, the largest objects first
  even     ///< in as few objects, alike in each
};

/// Each object's ranks are cut into those of its children by planes, slabs first, then columns,
/// then blocks; of the likeliest ways the one that cuts the least traffic. Any machine; what
/// objects it has SlotTree says. `space` has the problem's ranks. The more edges the fewer ways are
/// tried: O(ranks x log + edges) each. Where the budget's time is up, the ranks of an object are
/// cut in the order in which they then are.
Mapping split_on_tree(const MapTask& problem, const RankSpace& space, Filling filling);

// Grids of ranks on symmetric trees: blocks of blocks.

struct TreeTiling {
  Mapping mapping;
  /// Ranks along each dimension of the blocks, one per level of the tree that has several children,
  /// bottom up: {{2, 4, 4}, {4, 4, 8}}; the whole grid is left out.
  std::vector<std::vector<std::uint32_t>> blocks;
};

/// The best division of the grid into equal boxes for the objects of each level, boxes of boxes:
/// found by dynamic programming over the extents of the boxes, whose inner traffic saves the
/// difference between the costs of their level and the next one up. Nothing where the slots in use
/// form no symmetric tree with as many places as ranks, or the extents cannot be divided so.
/// O(levels x divisors^(2 x dimensions)).
std::optional<TreeTiling> tile_tree(const MapTask& problem, const TreeMachine& tree,
                                    const TaskGrid& grid);

}  // namespace kith::tiling
