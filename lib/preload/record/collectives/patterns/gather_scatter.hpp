// Gather and scatter: one block of `block` bytes per rank.
#pragma once

#include "record/collectives/patterns/trees.hpp"

namespace kith::record {

/// Everybody sends to the root.
void linear_gather(const Place& place, int root, std::uint64_t block, Send send);
/// The root asks for each block with an empty message; it comes in two pieces.
void synchronised_gather(const Place& place, int root, const Payload& block,
                         std::int64_t first_piece, Send send);
/// Every node of a binomial tree hands its subtree's blocks to its parent.
void binomial_gather(const Place& place, int root, std::uint64_t block, Send send);

/// The root sends each rank its block.
void linear_scatter(const Place& place, int root, std::uint64_t block, Send send);
/// Every node of a binomial tree sends each child the blocks of the child's subtree.
void binomial_scatter(const Place& place, int root, std::uint64_t block, Send send);

/// The root sends each rank its block, of any size; empty ones are not sent.
void linear_scatterv(const Place& place, int root, const Blocks& blocks, Send send);

}  // namespace kith::record
