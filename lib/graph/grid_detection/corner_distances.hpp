// Grids of which some pairs are missing, by distances from their corners.
#pragma once

#include "graph/grid_detection/any_order.hpp"
#include "graph/grid_detection/connected_graph.hpp"
#include "kith/traffic.hpp"

namespace kith {

/// In a 2D or 3D grid that is not periodic, the ways from three (four) neighbouring corners give
/// each rank's place; a pair that does not talk hardly makes a way longer, since there are many.
/// The pairs of at least `least` weight should be the faces, and join nearly all ranks. Ranks that
/// claim the same place, or have no way to the others, go where their neighbours' places leave one
/// free. True when the judge was content. O(edges x a few dozen).
bool propose_from_corners(const TrafficGraph& graph, Weight least, const Judge& judge,
                          const StopCheck& stop);
/// The same for the pairs of a graph whose vertices are all ranks.
bool propose_from_corners(const ConnectedGraph& graph, const Judge& judge, const StopCheck& stop);

}  // namespace kith
