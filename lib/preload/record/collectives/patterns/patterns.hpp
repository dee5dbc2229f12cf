// The algorithms of collectives: the messages that one rank sends in each. Pure functions.
#pragma once

#include <array>

#include "record/collectives/patterns/message.hpp"

namespace kith::record {

/// The place of one rank in a tree. Nothing is allocated: children are counted, not listed.
class Tree {
 public:
  enum class Shape : std::uint8_t {
    binary,           ///< level by level; the two children of a node stand side by side
    in_order_binary,  ///< root is the last rank, subtrees are ranges: keeps the order of operands
    binomial,         ///< a node's parent lacks its highest bit: the root's children are 1, 2, 4...
    in_order_binomial,  ///< a node's parent lacks its lowest bit: subtrees are ranges
    k_nomial,           ///< in_order_binomial to base `fanout`
    chains,             ///< the root feeds `fanout` chains of (nearly) equal length
  };

  /// `fanout` is read for k_nomial (> 1) and chains (< 1 means 1).
  Tree(Shape shape, const Place& place, int root, int fanout = 2)
      : shape_(shape), place_(place), relative_{place.size, root}, fanout_(fanout) {}

  /// Parent of the place's rank; -1 at the root.
  int parent() const;

  /// Calls visit(child) for each child.
  template <class Visit>
  void for_each_child(Visit&& visit) const {
    const int own = relative_.of(place_.rank);
    switch (shape_) {
      case Shape::binary:
        for (const int child : binary_children(own)) {
          if (child < place_.size) visit(relative_.rank(child));
        }
        return;
      case Shape::in_order_binary:
        for (const int child : in_order_binary().children) {
          if (child >= 0) visit(child);
        }
        return;
      case Shape::binomial: {
        int step = 1;
        while (step <= own) step *= 2;
        for (; own + step < place_.size; step *= 2) visit(relative_.rank(own + step));
        return;
      }
      case Shape::in_order_binomial:
        for (int step = 1; (own & step) == 0 && step < place_.size; step *= 2) {
          if (own + step < place_.size) visit(relative_.rank(own + step));
        }
        return;
      case Shape::k_nomial:
        for (std::int64_t step = 1; step < place_.size && own % (fanout_ * step) == 0;
             step *= fanout_) {
          for (std::int64_t k = 1; k < fanout_ && own + k * step < place_.size; ++k) {
            visit(relative_.rank(static_cast<int>(own + k * step)));
          }
        }
        return;
      case Shape::chains:
        if (own != 0) {
          const int child = own + 1;
          if (child < chain_end(own)) visit(relative_.rank(child));
        } else {
          for (int c = 0; c < chain_count() && chain_head(c) < place_.size; ++c) {
            visit(relative_.rank(chain_head(c)));
          }
        }
        return;
    }
  }

  bool has_children() const {
    bool any = false;
    for_each_child([&](int) { any = true; });
    return any;
  }

 private:
  struct InOrderBinary {
    int parent;
    std::array<int, 2> children;  // -1: no child
  };

  std::array<int, 2> binary_children(int own) const;
  InOrderBinary in_order_binary() const;
  int chain_count() const;
  int chain_of(int own) const;
  int chain_head(int chain) const;
  int chain_end(int own) const;  // one past the last position of own's chain

  Shape shape_;
  Place place_;
  Relative relative_;
  int fanout_;
};

// --- Barriers: messages without data --------------------------------------------------------

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

// --- Broadcasts -----------------------------------------------------------------------------

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

// --- Gather and scatter: one block of `block` bytes per rank --------------------------------

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

// --- Allgathers, of equal and unequal blocks ------------------------------------------------

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

// --- All-to-all -----------------------------------------------------------------------------

/// A block to each other rank. Linear, pairwise and in-place algorithms differ only in the order.
void direct_alltoall(const Place& place, std::uint64_t block, Send send);

/// Bruck: in the round of bit k, all blocks whose distance has that bit go to rank + 2^k.
void bruck_alltoall(const Place& place, std::uint64_t block, Send send);

enum class Empty : std::uint8_t { sent, skipped };

/// A block of its own size to each other rank.
void direct_alltoallv(const Place& place, const Blocks& blocks, Empty empty, Send send);

/// The same where each block has a type of its own; empty ones are not sent.
void direct_alltoallw(const Place& place, BytesTo bytes_to, Send send);

// --- Reductions to one rank and to all ------------------------------------------------------

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

/// Both once more, as MPICH has them: cut into as many blocks as the largest power of two within
/// the size, of which halves are given away; ranks beyond that power hand all they have to a
/// neighbour.
enum class Rest : std::uint8_t {
  to_first,  ///< the first blocks have an element more each
  to_last,   ///< the last block has all that remains
};
void block_halving_gather_reduce(const Place& place, int root, const Payload& payload, Rest rest,
                                 Send send);
void block_halving_doubling_allreduce(const Place& place, const Payload& payload, Rest rest,
                                      Send send);

/// Partners at distance 1, 2, 4, ... swap everything.
void doubling_allreduce(const Place& place, const Payload& payload, Send send);

/// Ring reduce-scatter, then ring allgather, of even blocks. Recursive doubling where there are
/// fewer elements than ranks.
void ring_allreduce(const Place& place, const Payload& payload, Send send);

/// The same with the reduce-scatter in phases, so that messages keep to about `segment` elements.
void segmented_ring_allreduce(const Place& place, const Payload& payload, std::int64_t segment,
                              Send send);

// --- Reduce-scatters, of equal and unequal blocks -------------------------------------------

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
void doubling_reduce_scatter(const Place& place, const Blocks& blocks, Send send);

// --- Prefix reductions, inclusive and exclusive ---------------------------------------------

/// Each rank passes its result on to the next.
void linear_scan(const Place& place, std::uint64_t bytes, Send send);
/// Partners at distance 1, 2, 4, ... swap everything.
void doubling_scan(const Place& place, std::uint64_t bytes, Send send);

}  // namespace kith::record
