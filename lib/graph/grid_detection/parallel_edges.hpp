// Edges that lie opposite each other in squares are parallel, and all parallel edges of a grid make
// the same step.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "graph/grid_detection/connected_graph.hpp"
#include "graph/grid_detection/stop_check.hpp"

namespace kith {

/// Classes of parallel edges. A square of a grid spans two dimensions, and what lies beside it by
/// chance (a message more, a message less) does not make or break the classes.
struct ParallelEdges {
  static constexpr std::uint32_t none = UINT32_MAX;

  std::vector<std::uint32_t> class_of;  ///< by edge; none: in no square
  std::uint32_t classes = 0;
  /// Pairs of classes that meet in a square, each both ways, sorted.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> crossings;
};

/// Nothing where the graph can be no grid. O(sum over edges of the degrees at their ends).
std::optional<ParallelEdges> find_parallel_edges(const ConnectedGraph& graph,
                                                 const StopCheck& stop);

}  // namespace kith
