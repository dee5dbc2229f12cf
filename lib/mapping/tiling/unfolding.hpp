// A grid of ranks on a grid of nodes whose extents do not match it: the nodes are seen as another
// grid, of the job's proportions.
#pragma once

#include <optional>

#include "kith/detail/network_machine.hpp"
#include "kith/mapper.hpp"
#include "mapping/budget.hpp"
#include "mapping/tiling/task_grid.hpp"

namespace kith::tiling {

/// A dimension is cut into strips, and these are joined to and fro along another one: 32x32 nodes
/// become 96 x 10 or 11. Of the grids that one or two such steps make, those nearest to the job's
/// proportions are cut in two together with it, again and again (as GEOM does); the best mapping
/// that this gives. Any allowed slots; where there are more than the job needs those of a corner.
/// Nothing for grids of more than four dimensions, nor for a few ranks on a large machine. O(tries
/// x ranks log ranks).
std::optional<Mapping> map_unfolded(const MapTask& problem, const NetworkMachine& machine,
                                    const TaskGrid& grid);

}  // namespace kith::tiling
