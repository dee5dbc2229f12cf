// Broadcasts.
#pragma once

#include "record/collectives/patterns/trees.hpp"

namespace kith::record {

/// How many elements make a segment of about `segment_bytes`; all of them where that is 0, smaller
/// than an element, or enough for everything. Sizes that end beyond the middle of an element are
/// rounded up.
std::int64_t segment_count(const Payload& payload, std::uint64_t segment_bytes);

/// Sends `payload` to `peer` in segments of `segment` elements.
void send_segments(int peer, const Payload& payload, std::int64_t segment, Send send);

/// The root sends to each.
void linear_broadcast(const Place& place, int root, const Payload& payload, Send send);

/// Every node passes each segment on to its children.
void tree_broadcast(const Tree& tree, const Payload& payload, std::int64_t segment, Send send);

/// Halves go down the two sides of a binary tree; then pairs from different sides swap halves. A
/// single chain where the halves are smaller than a segment.
void split_binary_broadcast(const Place& place, int root, const Payload& payload,
                            std::uint64_t segment_bytes, Send send);

/// Scatter along a binomial tree, then allgather: by recursive doubling, or in a ring. Linear where
/// there are fewer elements than ranks.
void scatter_doubling_broadcast(const Place& place, int root, const Payload& payload, Send send);
void scatter_ring_broadcast(const Place& place, int root, const Payload& payload, Send send);

}  // namespace kith::record
