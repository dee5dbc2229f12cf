// The pairs of ranks that talk, seen as pairs of grid points.
#pragma once

#include "graph/grid_detection/grid_candidate.hpp"
#include "graph/grid_detection/stop_check.hpp"
#include "kith/traffic.hpp"

namespace kith {

/// Each pair that talks, once: visit(positions of one, of the other, weight).
template <class Visit>
void for_each_pair(const TrafficGraph& graph, const GridCandidate& candidate, const StopCheck& stop,
                   Visit visit) {
  for (std::uint32_t r = 0; r < graph.ranks(); ++r) {
    stop();
    const auto others = graph.neighbours(Rank{r});
    const auto weights = graph.weights(Rank{r});
    for (std::size_t i = 0; i < others.size(); ++i) {
      if (others[i].value > r) visit(candidate.of(r), candidate.of(others[i].value), weights[i]);
    }
  }
}

}  // namespace kith
