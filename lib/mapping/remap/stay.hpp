// The mapping that moves no rank which need not move.
#pragma once

#include "kith/mapper.hpp"
#include "mapping/budget.hpp"

namespace kith {

/// Ranks stay where options.from has them; those of fixed ranks, of slots that are not allowed (any
/// more) or over capacity, and new ones get free slots: the one with the heaviest connections to
/// placed ranks first, on the cheapest slot found near them. Of several ranks too many on a slot
/// the highest give way. Precondition: options.from is set. O(edges log ranks) except for the
/// trials of free slots: all where they are few, else those nearest to a rank's heaviest
/// neighbours.
Mapping stay(const MapTask& problem);

}  // namespace kith
