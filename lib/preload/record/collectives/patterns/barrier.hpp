// Barriers: messages without data.
#pragma once

#include "record/collectives/patterns/message.hpp"

namespace kith::record {

/// Everybody reports to rank 0, which then releases everybody.
void linear_barrier(const Place& place, Send send);
/// A token goes twice around the ring.
void double_ring_barrier(const Place& place, Send send);
/// Partners at distance 1, 2, 4, ...; ranks beyond the largest power of two report to a partner in
/// its lower part.
void doubling_barrier(const Place& place, Send send);
/// To rank + 1, + 2, + 4, ...: everybody has heard of everybody after log2(size) rounds.
void dissemination_barrier(const Place& place, Send send);
/// Up and down a binomial tree.
void tree_barrier(const Place& place, Send send);

}  // namespace kith::record
