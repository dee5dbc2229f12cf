// The pairs that talk though they are not in the stencil.
#pragma once

#include <vector>

#include "graph/grid_detection/grid_candidate.hpp"
#include "graph/grid_detection/stencils.hpp"
#include "graph/grid_detection/stop_check.hpp"
#include "kith/traffic.hpp"

namespace kith {

/// Do pairs outside the stencil weigh as much as those inside, and are they more than a few or join
/// the ends of a dimension? A twisted torus, a Moebius ladder and a Klein bottle are no grids,
/// though all but their seams is one. O(edges) time and memory.
bool outside_pairs_matter(const TrafficGraph& graph, const GridCandidate& candidate,
                          const std::vector<bool>& periodic, Stencil stencil,
                          const StopCheck& stop);

}  // namespace kith
