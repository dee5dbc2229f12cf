// The order of the places along one dimension.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/grid_detection/factors.hpp"

namespace kith {

/// By place of the factor: its coordinate, when the factor is a line or a ring whose members talk
/// to the next one, or to the next two. Empty for any other graph. O(size).
std::vector<std::uint32_t> line_order(const Factor& factor);

}  // namespace kith
