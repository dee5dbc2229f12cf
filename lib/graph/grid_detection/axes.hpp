// The dimensions of a grid, and where they come from: the Cartesian factors and the skeleton of
// a graph.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "graph/grid_detection/connected_graph.hpp"

namespace kith {

// A grid that the traffic may have.

inline constexpr std::size_t max_grid_dimensions = 6;

/// Each rank has a place of its own: positions are a permutation of the grid's points.
struct GridCandidate {
  std::vector<std::uint32_t> extents;
  /// ranks x dimensions, row-major, each below its extent.
  std::vector<std::uint32_t> positions;

  std::span<const std::uint32_t> of(std::uint32_t rank) const {
    return std::span(positions).subspan(std::size_t{rank} * extents.size(), extents.size());
  }
};

using Offset = std::array<int, max_grid_dimensions>;

/// Numbers the offsets of a grid. An offset and its inverse are one: they join the same pairs.
class Offsets {
 public:
  static constexpr int reach = 2;
  static constexpr std::uint32_t far = UINT32_MAX;  ///< beyond the reach

  Offsets(std::vector<std::uint32_t> extents, std::vector<bool> periodic);

  std::size_t count() const { return pairs_.size(); }
  /// From one point to another.
  std::uint32_t between(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) const;
  /// How many pairs of points lie so; 0 for numbers that stand for nothing in this grid.
  std::uint64_t pairs(std::uint32_t offset) const { return pairs_[offset]; }
  Offset steps(std::uint32_t offset) const;
  std::uint32_t of(const Offset& steps) const { return canonical_[number(wrapped(steps))]; }

 private:
  std::uint32_t number(const Offset& steps) const;
  Offset wrapped(Offset steps) const;
  std::uint64_t pairs_of(const Offset& steps) const;

  std::vector<std::uint32_t> extents_;
  std::vector<bool> periodic_;
  std::vector<std::uint32_t> canonical_;  ///< by number: itself or its inverse
  std::vector<std::uint64_t> pairs_;
};

/// Which offsets belong, the smallest stencil first.
enum class Stencil {
  faces,            ///< 2D 5-point, 3D 7-point
  faces_and_edges,  ///< 3D 19-point
  corners,          ///< with corners: 2D 9-point, 3D 27-point
  star,             ///< faces, and two steps along an axis: 3D 13-point
};
inline constexpr std::array stencils{Stencil::faces, Stencil::faces_and_edges, Stencil::corners,
                                     Stencil::star};

bool belongs(Stencil stencil, const Offset& steps);
std::string stencil_name(Stencil stencil, std::size_t dimensions);

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
