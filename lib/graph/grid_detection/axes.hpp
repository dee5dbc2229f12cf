// The dimensions of a grid to be proposed.
#pragma once

#include <cstdint>
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

/// The factors of the graph, each in its order; empty where it is no product of lines and rings.
/// Longest first.
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

}  // namespace kith
