// What proposes a grid (ranks numbered row by row, any order, distances from corners), and the
// one judge of all proposals.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "graph/grid_detection/axes.hpp"
#include "graph/grid_detection/connected_graph.hpp"
#include "kith/detail/structure.hpp"
#include "kith/traffic.hpp"

namespace kith {

/// Least weights worth a try, each with at least as many pairs as it takes to join all ranks: 1
/// (all pairs), then the upper ends of the widest gaps between the weights, widest first, that cut
/// off more than a few pairs.
std::vector<Weight> least_weights(const TrafficGraph& graph);

/// Judges a candidate; true when no other is wanted.
using Judge = std::function<bool(const GridCandidate&)>;

/// Proposes the grids of which `part` is the faces (or the faces and two steps along each axis).
/// True when the judge was content.
bool propose_from_faces(const ConnectedGraph& part, const Judge& judge, const StopCheck& stop);

/// The same where `part` is all neighbours, across edges and corners too, or in three dimensions
/// across edges but not corners.
bool propose_from_neighbours(const ConnectedGraph& part, const Judge& judge, const StopCheck& stop);

// Grids whose ranks are numbered row by row, as most programs number them.

/// The extents, last fastest, that the differences between the ranks of talking pairs allow; few.
/// O(edges + ranks).
std::vector<std::vector<std::uint32_t>> natural_extents(const TrafficGraph& graph);

/// Ranks row by row.
GridCandidate natural_candidate(const std::vector<std::uint32_t>& extents);

// Grids of which some pairs are missing, by distances from their corners.

/// In a 2D or 3D grid that is not periodic, the ways from three (four) neighbouring corners give
/// each rank's place; a pair that does not talk hardly makes a way longer, since there are many.
/// The pairs of at least `least` weight should be the faces, and join nearly all ranks. Ranks that
/// claim the same place, or have no way to the others, go where their neighbours' places leave one
/// free. True when the judge was content. O(edges x a few dozen).
bool propose_from_corners(const TrafficGraph& graph, Weight least, const Judge& judge,
                          const StopCheck& stop);
/// The same for the pairs of a graph whose vertices are all ranks.
bool propose_from_corners(const ConnectedGraph& graph, const Judge& judge, const StopCheck& stop);

/// The candidate with its periodicity and stencil, when they explain the traffic. O(edges).
std::optional<GridStructure> check_grid(const TrafficGraph& graph, const GridCandidate& candidate,
                                        const StopCheck& stop);

}  // namespace kith
