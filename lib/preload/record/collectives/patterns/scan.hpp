// Prefix reductions, inclusive and exclusive.
#pragma once

#include "record/collectives/patterns/message.hpp"

namespace kith::record {

/// Each rank passes its result on to the next.
void linear_scan(const Place& place, std::uint64_t bytes, Send send);
/// Partners at distance 1, 2, 4, ... swap everything.
void doubling_scan(const Place& place, std::uint64_t bytes, Send send);

}  // namespace kith::record
