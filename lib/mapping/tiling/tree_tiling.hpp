// Grids of ranks on symmetric trees: blocks of blocks.
#pragma once

#include <optional>
#include <string>

#include "kith/mapper.hpp"
#include "kith/tree_machine.hpp"
#include "mapping/tiling/task_grid.hpp"

namespace kith::tiling {

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
std::optional<TreeTiling> tile_tree(const MapProblem& problem, const TreeMachine& tree,
                                    const TaskGrid& grid);

}  // namespace kith::tiling
