// TopoMatch's sparse factor: only the heaviest pairs are handed to a mapper.
#pragma once

#include "kith/traffic.hpp"

namespace kith {

/// The pairs whose weight is above `factor`, 0 to 1, x the heaviest. O(edges). (Jeannot: Process
/// mapping on any topology with TopoMatch, JPDC 170, 2022, section 4.3.2.)
TrafficGraph sparsified(const TrafficGraph& graph, double factor);

}  // namespace kith
