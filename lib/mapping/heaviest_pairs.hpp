// Dense traffic made sparse: what matters most to each rank.
#pragma once

#include <cstdint>

#include "kith/traffic.hpp"

namespace kith {

/// The pairs that are among the `most` heaviest of one of their two ranks; among equals the lower
/// neighbour counts first. At most ranks x most edges. O(edges).
TrafficGraph heaviest_pairs(const TrafficGraph& graph, std::uint32_t most);

}  // namespace kith
