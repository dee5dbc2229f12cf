// Grids whose ranks are numbered row by row, as most programs number them.
#pragma once

#include <vector>

#include "graph/grid_detection/offsets.hpp"
#include "kith/traffic.hpp"

namespace kith {

/// The extents, last fastest, that the differences between the ranks of talking pairs allow; few.
/// O(edges + ranks).
std::vector<std::vector<std::uint32_t>> natural_extents(const TrafficGraph& graph);

/// Ranks row by row.
GridCandidate natural_candidate(const std::vector<std::uint32_t>& extents);

}  // namespace kith
