// TopoMatch's sparse factor: only the heaviest pairs are handed to a mapper.
#pragma once

#include <cstdint>

#include "kith/traffic.hpp"

namespace kith {

/// The pairs whose weight is above `factor`, 0 to 1, x the heaviest. O(edges). (Jeannot: Process
/// mapping on any topology with TopoMatch, JPDC 170, 2022, section 4.3.2.)
TrafficGraph sparsified(const TrafficGraph& graph, double factor);

/// The pairs that are among the `most` heaviest of one of their two ranks; among equals the lower
/// neighbour counts first. At most ranks x most edges. O(edges).
TrafficGraph heaviest_pairs(const TrafficGraph& graph, std::uint32_t most);

}  // namespace kith
