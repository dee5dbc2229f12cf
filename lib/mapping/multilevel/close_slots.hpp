// Which slots of a machine with many more than are needed.
#pragma once

#include <cstdint>
#include <vector>

#include "kith/machine.hpp"
#include "kith/objective.hpp"

namespace kith::multilevel {

/// Ascending allowed slots, at least `count` and less than twice as many where the machine allows
/// more than that: on a grid that allows all a box with little surface, elsewhere the nearest ones
/// to that slot, of some tried, that has them nearest. `given`: slots to try, where others would
/// make no sense; may be empty. All allowed slots where those are fewer than 2 x count.
/// Of more than 100 000 allowed slots only so many, the first, are looked at, or 4 x count.
std::vector<Slot> close_slots(const Machine& machine, Objective objective, std::uint64_t count,
                              std::vector<Slot> given);

}  // namespace kith::multilevel
