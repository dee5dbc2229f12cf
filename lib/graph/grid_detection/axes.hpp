// The dimensions of a grid, and where they come from: the Cartesian factors and the skeleton of
// a graph.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "graph/grid_detection/connected_graph.hpp"
#include "graph/grid_detection/offsets.hpp"

namespace kith {

/// A dimension: coordinates by vertex.
struct Axis {
  std::uint32_t extent = 0;
  std::vector<std::uint32_t> coordinate;
  bool is_ring = false;
  double mean_weight = 0;
};

/// The factors of the graph, each in its order; empty if the graph is not a product of lines and
/// rings. Longest first.
std::vector<Axis> find_axes(const ConnectedGraph& graph, const StopCheck& stop);

/// Axes of two points that are taken as a ring of four together, by their indices: the product of
/// two lines of two is a ring of four.
using Joining = std::vector<std::pair<std::size_t, std::size_t>>;

/// No axes joined or all pairs of like weight, what programs rather do first: grids of few
/// dimensions, and rings among rings.
std::vector<Joining> usual_joinings(const std::vector<Axis>& axes);

/// Every way to join axes of two points, none of them left over, and the way to join none.
std::vector<Joining> all_joinings(const std::vector<Axis>& axes);

/// Positions by rank of `part`, longest dimension first; without extents where there are too many.
GridCandidate to_candidate(const std::vector<Axis>& axes, const Joining& joining,
                           const ConnectedGraph& part);

// The dimensions of a grid, found as the factors of a Cartesian product of graphs.

/// One dimension: a small graph, and where in it each vertex lies.
struct Factor {
  std::uint32_t size = 0;
  std::vector<std::uint32_t> place;  ///< by vertex, below size
  /// Pairs of places between which most vertices of the one talk with one of the other; a < b.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  double mean_weight = 0;  ///< of the pairs along this dimension
};

/// The ways to see the graph as a product of at most `most` factors, the likelier first; an
/// empty list if it is not a product and, as far as a few of its vertices show, not a line. A ring
/// of four comes as two factors of size 2: it is their product.
std::vector<std::vector<Factor>> find_factors(const ConnectedGraph& graph, std::size_t most,
                                              const StopCheck& stop);

// The faces of a stencil with edges and corners, told from those by whom two neighbours both know.

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
