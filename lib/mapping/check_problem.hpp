// What no algorithm could map.
#pragma once

#include "kith/mapper.hpp"

namespace kith {

/// Throws Error (input): ranks without room, contradictory fixed ranks, loads or coordinates of
/// another number of ranks, weights whose sum exceeds 64 bits. map_ranks() begins with it.
void check_problem(const MapProblem& problem);

}  // namespace kith
