// The clocks of the ranks of a period: what mean times leave open.
#pragma once

#include "timeline/period.hpp"

namespace kith::timeline {

/// Moves ranks so that, on average, receives end when their messages are sent and collectives of
/// the world end at the same time; long waits weigh most. The period then reaches from the first
/// slice of any rank to the last one.
void align_period(Period& period);

}  // namespace kith::timeline
