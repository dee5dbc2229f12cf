// Pairs that cannot be steps of a grid.
#pragma once

#include <optional>

#include "graph/grid_detection/connected_graph.hpp"
#include "graph/grid_detection/stop_check.hpp"

namespace kith {

/// The graph without the pairs that are sides of no square. Nothing where there are none or many
/// (1 in 8) of them, and where what is left falls apart. O(edges x squared degree).
std::optional<ConnectedGraph> without_strays(const ConnectedGraph& graph, const StopCheck& stop);

}  // namespace kith
