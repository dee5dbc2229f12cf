// The dimensions of a grid, found as the factors of a Cartesian product of graphs.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "graph/grid_detection/connected_graph.hpp"

namespace kith {

/// One dimension: a small graph, and where in it each vertex lies.
struct Factor {
  std::uint32_t size = 0;
  std::vector<std::uint32_t> place;  ///< by vertex, below size
  /// Pairs of places between which most vertices of the one talk with one of the other; a < b.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  double mean_weight = 0;  ///< of the pairs along this dimension
};

/// The ways to see the graph as a product of at most `most` factors, the likelier first; none where
/// it is no product and, by what a few of its vertices see, no line either. A ring of four comes as
/// two factors of size 2: it is their product.
std::vector<std::vector<Factor>> find_factors(const ConnectedGraph& graph, std::size_t most,
                                              const StopCheck& stop);

}  // namespace kith
