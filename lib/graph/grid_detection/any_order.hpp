// Grids whatever the order of the ranks.
#pragma once

#include <functional>

#include "graph/grid_detection/connected_graph.hpp"
#include "graph/grid_detection/offsets.hpp"

namespace kith {

/// Judges a candidate; true when no other is wanted.
using Judge = std::function<bool(const GridCandidate&)>;

/// Proposes the grids of which `part` is the faces (or the faces and two steps along each axis).
/// True when the judge was content.
bool propose_from_faces(const ConnectedGraph& part, const Judge& judge, const StopCheck& stop);

/// The same where `part` is all neighbours, across edges and corners too, or in three dimensions
/// across edges but not corners.
bool propose_from_neighbours(const ConnectedGraph& part, const Judge& judge, const StopCheck& stop);

}  // namespace kith
