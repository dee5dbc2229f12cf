// Where the pairs that belong to a grid may end and the small change begin.
#pragma once

#include <vector>

#include "kith/traffic.hpp"

namespace kith {

/// Least weights worth a try, each with at least as many pairs as it takes to join all ranks: 1
/// (all pairs), then the upper ends of the widest gaps between the weights, widest first, that cut
/// off more than a few pairs.
std::vector<Weight> least_weights(const TrafficGraph& graph);

}  // namespace kith
