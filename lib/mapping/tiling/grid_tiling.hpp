// Grids of ranks on grids of nodes.
#pragma once

#include <optional>
#include <vector>

#include "kith/detail/network_machine.hpp"
#include "kith/mapper.hpp"
#include "mapping/budget.hpp"
#include "mapping/tiling/task_grid.hpp"

namespace kith::tiling {

struct GridTiling {
  Mapping mapping;
  std::vector<std::uint32_t> node_block;  ///< ranks along each dimension of what shares a node
  bool is_perfect = false;                ///< boxes that share a face are one hop apart
};

/// Each node takes a box of ranks; the grid of boxes is laid on the grid of nodes: its extents are
/// written as factors, one per dimension of the machine, and run to and fro from one dimension into
/// the next, so that neighbours stay neighbours where factors do not share a dimension. Of the ways
/// to do so the best is kept, by the hops of neighbouring boxes. Where the machine is larger than
/// the job, the factors need only fit and boxes at the ends may be partly empty. Nothing where some
/// slots are not allowed or the extents cannot be written so.
std::optional<GridTiling> tile_grid(const MapTask& problem, const NetworkMachine& machine,
                                    const TaskGrid& grid);

}  // namespace kith::tiling
