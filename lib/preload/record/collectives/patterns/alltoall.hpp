// All-to-all.
#pragma once

#include "record/collectives/patterns/message.hpp"

namespace kith::record {

/// A block to each other rank. Linear, pairwise and in-place algorithms differ only in the order.
void direct_alltoall(const Place& place, std::uint64_t block, Send send);

/// Bruck: in the round of bit k, all blocks whose distance has that bit go to rank + 2^k.
void bruck_alltoall(const Place& place, std::uint64_t block, Send send);

enum class Empty : std::uint8_t { sent, skipped };

/// A block of its own size to each other rank.
void direct_alltoallv(const Place& place, const Blocks& blocks, Empty empty, Send send);

}  // namespace kith::record
