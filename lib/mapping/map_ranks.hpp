// What no algorithm can map, and ranks for slots that have too few.
#pragma once

#include "kith/mapper.hpp"
#include "mapping/budget.hpp"

namespace kith {

/// Throws Error (input): ranks without room, contradictory fixed ranks, loads or coordinates of
/// another number of ranks, weights whose sum exceeds 64 bits. map_ranks() begins with it.
void check_problem(const MapProblem& problem);

/// Moves ranks until each allowed slot has options.least of them: to each slot that is short, from
/// those nearby that have more, the one that costs least. Fixed ranks that are in place stay; what
/// they make impossible is left.
Mapping fill_short_slots(const MapTask& problem, Mapping mapping);

}  // namespace kith
