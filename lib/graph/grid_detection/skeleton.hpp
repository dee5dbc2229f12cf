// The faces of a stencil with edges and corners, told from those by whom two neighbours both know.
#pragma once

#include <cstdint>
#include <optional>

#include "graph/grid_detection/connected_graph.hpp"

namespace kith {

/// What is left when pairs that talk across an edge or corner are gone. Of ranks that have the very
/// same neighbours (a dimension of 2 points, or a ring of 3, in a stencil with corners) only one.
struct Skeleton {
  ConnectedGraph graph;
  NumberedSets twins;  ///< by vertex of the whole: its vertex in `graph`
};

/// The Cartesian skeleton of Hammack and Imrich (On Cartesian skeletons of graphs, 2009), with the
/// sizes of neighbourhoods in the place of the neighbourhoods themselves: a pair goes when a third
/// rank, known to both, lies between them. Nothing where no connected graph is left.
/// O(sum over edges of the degrees at their ends).
std::optional<Skeleton> find_skeleton(const ConnectedGraph& graph, const StopCheck& stop);

}  // namespace kith
