// From a stencil with faces and edges (3D 19-point) to the one with corners too.
#pragma once

#include <optional>

#include "graph/grid_detection/connected_graph.hpp"
#include "graph/grid_detection/stop_check.hpp"

namespace kith {

/// Joins the opposite corners of all cubes: two vertices that do not talk and know six others in
/// common, each of which talks to four of the six. Nothing where there is no cube, or more corners
/// than a grid has. O(sum of squared degrees).
std::optional<ConnectedGraph> with_corners(const ConnectedGraph& graph, const StopCheck& stop);

}  // namespace kith
