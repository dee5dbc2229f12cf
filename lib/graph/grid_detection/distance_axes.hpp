// The dimensions of a grid from the distances between its ranks: what local steps cannot tell where
// many pairs are missing.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/grid_detection/connected_graph.hpp"
#include "graph/grid_detection/lattice_growth.hpp"

namespace kith {

/// One dimension: where each rank lies along it, from 0 to 1, evenly spread.
struct DistanceAxis {
  std::vector<double> place;  ///< by rank
  bool is_ring = false;
  double length = 0;  ///< in steps, times a factor that all axes of one kind share
};

/// In a grid the steps from one rank to another are the sum of those along each dimension. So the
/// distances from a few dozen ranks that lie far apart are sums of functions of one coordinate
/// each. Their principal components mix these; they come apart as independent components do: the
/// least Gaussian direction is one coordinate (as its cosine), and if another direction makes a
/// circle with it, the coordinate runs around a ring. What is a function of coordinates already
/// found is taken out, and so on. Fewer axes than `dimensions` where no more are seen; none where
/// the pairs do not join most ranks. O(pairs + ranks) times a few dozen, squared for the latter.
std::vector<DistanceAxis> find_distance_axes(const NeighbourLists& lists, unsigned dimensions,
                                             const StopCheck& stop);

}  // namespace kith
