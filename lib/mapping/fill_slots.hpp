// No slot may stay idle while others have more than their share.
#pragma once

#include "kith/mapper.hpp"

namespace kith {

/// Moves ranks until each allowed slot has options.least of them: to each slot that is short, from
/// those nearby that have more, the one that costs least. Fixed ranks that are in place stay; what
/// they make impossible is left.
Mapping fill_short_slots(const MapProblem& problem, Mapping mapping);

}  // namespace kith
