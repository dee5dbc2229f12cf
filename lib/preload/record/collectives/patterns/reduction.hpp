// Reductions to one rank and to all.
#pragma once

#include "record/collectives/patterns/trees.hpp"

namespace kith::record {

/// Everybody sends to the root.
void linear_reduce(const Place& place, int root, const Payload& payload, Send send);

/// Combined segments of `segment` elements travel to the root.
void tree_reduce(const Tree& tree, const Payload& payload, std::int64_t segment, Send send);

/// Along an in-order binary tree, whose root is the last rank; the result then goes to `root`.
void in_order_binary_reduce(const Place& place, int root, const Payload& payload,
                            std::int64_t segment, Send send);

/// Rabenseifner: reduce-scatter by recursive halving, then gather along a binomial tree. Needs at
/// least as many elements as the largest power of two within the size.
void halving_gather_reduce(const Place& place, int root, const Payload& payload, Send send);

/// Rabenseifner: reduce-scatter by recursive halving, then allgather by recursive doubling. The
/// same need.
void halving_doubling_allreduce(const Place& place, const Payload& payload, Send send);

/// Partners at distance 1, 2, 4, ... swap everything.
void doubling_allreduce(const Place& place, const Payload& payload, Send send);

/// Ring reduce-scatter, then ring allgather, of even blocks. Recursive doubling where there are
/// fewer elements than ranks.
void ring_allreduce(const Place& place, const Payload& payload, Send send);

/// The same with the reduce-scatter in phases, so that messages keep to about `segment` elements.
void segmented_ring_allreduce(const Place& place, const Payload& payload, std::int64_t segment,
                              Send send);

}  // namespace kith::record
