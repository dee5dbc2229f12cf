// Allgathers, of equal and unequal blocks.
#pragma once

#include "record/collectives/patterns/message.hpp"

namespace kith::record {

/// Bruck: in rounds 1, 2, 4, ... the blocks held so far go to rank - distance.
void bruck_allgather(const Place& place, const Blocks& blocks, Send send);
/// Partners at distance 1, 2, 4, ... swap what they hold. Size a power of two.
void doubling_allgather(const Place& place, const Blocks& blocks, Send send);
/// Each rank passes one block a round to its right neighbour.
void ring_allgather(const Place& place, const Blocks& blocks, Send send);
/// Neighbours swap pairs of blocks, alternately to the left and to the right. A ring where the size
/// is odd.
void neighbour_exchange_allgather(const Place& place, const Blocks& blocks, Send send);
/// Each rank's block goes directly to everybody.
void direct_allgather(const Place& place, std::uint64_t block, Send send);

}  // namespace kith::record
