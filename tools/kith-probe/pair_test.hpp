// The measurements between two ranks. Both call the same function at the same time, no other
// talks.
#pragma once

#include "kith-probe/messages.hpp"

namespace kith::probe {

/// Messages of a stream that are on the way at a time.
inline constexpr int stream_window = 4;
/// A stream has at least so many windows.
inline constexpr int fewest_stream_windows = 4;

/// Does this rank's part of an order (cost or bandwidth). The answer is complete on the rank that
/// leads; the other's is not to be used.
///
/// Latency: round trips of a small message. What disturbs only ever delays, so the tenth-fastest of
/// a hundred counts, halved: not the very fastest, which may be an accident of the clock.
///
/// Cost: messages of 64 KiB, each sent when the one before has arrived. The first two are left out:
/// links that are limited by a token bucket let a burst through at full speed. Of the times between
/// arrivals the lower quartile counts, again because what disturbs delays; seen by the receiver
/// alone, so that clocks need not agree.
///
/// Bandwidth: a stream with several messages on the way; the first quarter and the end are left
/// out.
Result run_order(const Order& order);

}  // namespace kith::probe
