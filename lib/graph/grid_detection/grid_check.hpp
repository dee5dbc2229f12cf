// Does the traffic have this grid? The only judge: whatever proposes a grid, it is asked here.
#pragma once

#include <optional>

#include "graph/grid_detection/connected_graph.hpp"
#include "graph/grid_detection/offsets.hpp"
#include "kith/detail/structure.hpp"

namespace kith {

/// The candidate with its periodicity and stencil, when they explain the traffic. O(edges).
std::optional<GridStructure> check_grid(const TrafficGraph& graph, const GridCandidate& candidate,
                                        const StopCheck& stop);

}  // namespace kith
