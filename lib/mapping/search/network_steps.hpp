// Kith's own search plan on machines that are not trees.
#pragma once

#include "mapping/budget.hpp"
#include "mapping/search/own_steps.hpp"

namespace kith {

/// The cheapest start, and those that leave an effort of fast time to anneal; the best of them is
/// annealed, each time for twice as long as the time before, or for what an effort has left. A
/// start that costs much comes when it costs at most half of all before it. Later other divisions
/// are annealed beside it.
OwnSteps network_steps(const MapTask& problem);

}  // namespace kith
