// The repair for mappers that put too many ranks on a slot.
#pragma once

#include "kith/mapper.hpp"
#include "mapping/budget.hpp"

namespace kith {

/// Moves ranks from overfull slots to free ones until no slot has more than its capacity: always
/// the rank and the slot near to its neighbours that cost least.
/// `places`: the allowed slots that may be taken, with room for all ranks.
Mapping place_surplus(const MapTask& problem, Mapping mapping, std::span<const Slot> places);

}  // namespace kith
