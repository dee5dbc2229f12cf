// Reduce-scatters, of equal and unequal blocks.
#pragma once

#include "record/collectives/patterns/message.hpp"

namespace kith::record {

/// Partial sums travel once around the ring.
void ring_reduce_scatter(const Place& place, const Blocks& blocks, Send send);

/// Recursive halving: each round gives the partner its half of the blocks; empty messages are not
/// sent. Ranks beyond the largest power of two hand in everything and get their block back.
void halving_reduce_scatter(const Place& place, const Blocks& blocks, Send send);

/// Butterfly: halving that keeps the order of operands, so that blocks end up bit-reversed and are
/// swapped into place.
void butterfly_reduce_scatter(const Place& place, const Blocks& blocks, Send send);

/// The butterfly of equal blocks, which needs no swap where the size is a power of two.
void butterfly_reduce_scatter_block(const Place& place, std::uint64_t block, Send send);

/// Recursive doubling: partners swap all blocks but those of their own half.
void doubling_reduce_scatter_block(const Place& place, std::uint64_t block, Send send);

}  // namespace kith::record
