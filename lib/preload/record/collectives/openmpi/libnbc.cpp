#include "record/collectives/openmpi/libnbc.hpp"

#include "record/collectives/patterns/allgather.hpp"
#include "record/collectives/patterns/alltoall.hpp"
#include "record/collectives/patterns/barrier.hpp"
#include "record/collectives/patterns/broadcast.hpp"
#include "record/collectives/patterns/gather_scatter.hpp"
#include "record/collectives/patterns/reduction.hpp"
#include "record/collectives/patterns/scan.hpp"

namespace kith::record::openmpi {
namespace {

// The numbers of coll_libnbc_iX_algorithm; 0 leaves the decision to the library.
enum BcastAlgorithm { bcast_linear = 1, bcast_binomial, bcast_chain, bcast_k_nomial };
enum AllreduceAlgorithm {
  allreduce_ring = 1,
  allreduce_binomial,
  allreduce_halving,
  allreduce_doubling
};
enum ReduceAlgorithm { reduce_chain = 1, reduce_binomial, reduce_halving };
constexpr int allgather_doubling = 2;
constexpr int scan_doubling = 2;

constexpr std::uint64_t large = 65536;
constexpr std::uint64_t reduce_fragment = 8192;

// Trees and chains stand in the order of ranks, except for the root, which changes places with rank
// 0.
struct Swapped {
  int root;
  int of(int rank) const { return rank == root ? 0 : rank == 0 ? root : rank; }
};

// A pattern of root 0, seen by ranks that changed places.
template <class Pattern>
void with_swapped_root(const Place& place, int root, Send send, Pattern pattern) {
  const Swapped swapped{root};
  pattern(Place{place.size, swapped.of(place.rank)},
          [&](int peer, std::uint64_t bytes) { send(swapped.of(peer), bytes); });
}

// Fragments of equal element count; what does not divide goes with the last one.
void send_fragments(int peer, const Payload& payload, std::uint64_t fragment_bytes, Send send) {
  const std::uint64_t bytes = payload.bytes();
  const auto fragments =
      static_cast<std::int64_t>(bytes / fragment_bytes + (bytes % fragment_bytes != 0 ? 1 : 0));
  for (std::int64_t i = 0; i < fragments; ++i) {
    const std::int64_t each = payload.count / fragments;
    send(peer, payload.bytes_of(i + 1 < fragments ? each : payload.count - each * i));
  }
}

void reduce_to_zero(const Place& place, const Payload& payload, Send send) {
  tree_reduce(Tree(Tree::Shape::in_order_binomial, place, 0), payload, payload.count, send);
}

// An empty payload is a message, too.
void send_whole(int peer, const Payload& payload, Send send) {
  send(peer, payload.bytes());
}

}  // namespace

void Libnbc::barrier(const Place& place, Send send) const {
  dissemination_barrier(place, send);
}

void Libnbc::bcast(const Place& place, int root, const Payload& payload, Send send) const {
  int algorithm = settings_.ibcast;
  std::uint64_t fragment = 16384;
  if (algorithm == 0) {
    algorithm = bcast_binomial;
    if (place.size <= 4) {
      algorithm = bcast_linear;
    } else if (!settings_.ibcast_ignores_size && payload.bytes() >= large) {
      algorithm = bcast_chain;
      fragment = payload.bytes() < 524288 ? 8192 : 32768;
    }
  }
  if (algorithm == bcast_binomial) {
    with_swapped_root(place, root, send, [&](const Place& swapped, Send to) {
      Tree(Tree::Shape::binomial, swapped, 0).for_each_child([&](int child) {
        send_whole(child, payload, to);
      });
    });
  } else if (algorithm == bcast_chain) {
    with_swapped_root(place, root, send, [&](const Place& swapped, Send to) {
      if (swapped.rank + 1 < swapped.size) send_fragments(swapped.rank + 1, payload, fragment, to);
    });
  } else if (algorithm == bcast_k_nomial && settings_.ibcast_radix > 1) {
    Tree(Tree::Shape::k_nomial, place, root, settings_.ibcast_radix).for_each_child([&](int child) {
      send_whole(child, payload, send);
    });
  } else {
    linear_broadcast(place, root, payload, send);
  }
}

void Libnbc::reduce(const Place& place, int root, const Payload& payload, Operands operands,
                    Send send) const {
  const bool can_halve =
      operands.commutes && place.size > 2 && payload.count >= power_of_two_within(place.size);
  int algorithm = settings_.ireduce;
  if (algorithm == 0) {
    algorithm = reduce_chain;
    if (can_halve) {
      algorithm = reduce_halving;
    } else if (place.size > 4 || payload.bytes() < large || !operands.commutes) {
      algorithm = reduce_binomial;
    }
  }
  if (algorithm == reduce_halving && can_halve) {
    halving_gather_reduce(place, root, payload, send);
  } else if (algorithm == reduce_binomial) {
    const int tree_root = operands.commutes ? root : 0;
    with_swapped_root(place, tree_root, send, [&](const Place& swapped, Send to) {
      const int parent = Tree(Tree::Shape::in_order_binomial, swapped, 0).parent();
      if (parent >= 0) send_whole(parent, payload, to);
    });
    if (tree_root != root && place.rank == 0) send_whole(root, payload, send);
  } else {
    with_swapped_root(place, root, send, [&](const Place& swapped, Send to) {
      if (swapped.rank > 0) send_fragments(swapped.rank - 1, payload, reduce_fragment, to);
    });
  }
}

void Libnbc::allreduce(const Place& place, const Payload& payload, Operands operands,
                       Send send) const {
  const bool can_halve = operands.commutes && payload.count >= power_of_two_within(place.size);
  int algorithm = settings_.iallreduce;
  if (algorithm == 0) {
    algorithm = allreduce_ring;
    if (place.size < 4 || payload.bytes() < large || !operands.commutes || operands.in_place) {
      algorithm = allreduce_binomial;
    } else if (can_halve) {
      algorithm = allreduce_halving;
    }
  }
  if (algorithm == allreduce_binomial) {
    const int parent = Tree(Tree::Shape::in_order_binomial, place, 0).parent();
    if (parent >= 0) send_whole(parent, payload, send);
    Tree(Tree::Shape::binomial, place, 0).for_each_child([&](int child) {
      send_whole(child, payload, send);
    });
  } else if (algorithm == allreduce_halving && can_halve) {
    halving_doubling_allreduce(place, payload, send);
  } else if (algorithm == allreduce_doubling) {
    doubling_allreduce(place, payload, send);
  } else if (payload.count > 0) {
    const EvenParts parts{payload.count, place.size};
    for (int round = 0; round < 2 * place.size - 2; ++round) {
      const int part = (place.rank + 1 - round + 2 * place.size) % place.size;
      send(place.next(1), payload.bytes_of(parts.of(part)));
    }
  }
}

void Libnbc::gather(const Place& place, int root, const Payload& block, Send send) const {
  linear_gather(place, root, block.bytes(), send);
}

void Libnbc::gatherv(const Place& place, int root, const Payload& block, Send send) const {
  linear_gather(place, root, block.bytes(), send);
}

void Libnbc::scatter(const Place& place, int root, const Payload& block, Send send) const {
  linear_scatter(place, root, block.bytes(), send);
}

void Libnbc::scatterv(const Place& place, int root, const Blocks& blocks, Send send) const {
  if (place.rank == root) direct_alltoallv(place, blocks, Empty::sent, send);
}

void Libnbc::allgather(const Place& place, std::uint64_t /*decisive_bytes*/, const Payload& block,
                       Send send) const {
  if (settings_.iallgather == allgather_doubling && is_power_of_two(place.size)) {
    doubling_allgather(place, Blocks(block.count, block.element), send);
  } else {
    direct_allgather(place, block.bytes(), send);
  }
}

void Libnbc::allgatherv(const Place& place, std::uint64_t /*decisive_element*/,
                        const Blocks& blocks, Send send) const {
  direct_allgather(place, blocks.bytes(place.rank), send);
}

void Libnbc::alltoall(const Place& place, const Payload& block, Operands /*operands*/,
                      Send send) const {
  direct_alltoall(place, block.bytes(), send);
}

void Libnbc::alltoallv(const Place& place, const Blocks& blocks, Operands /*operands*/,
                       Send send) const {
  direct_alltoallv(place, blocks, Empty::skipped, send);
}

// In place, ranks swap with those at the same distance on both sides; the one opposite, which has
// no counterpart, is written to in any case.
bool Libnbc::alltoallw_sends_empty(const Place& place, int peer, Operands operands) const {
  return operands.in_place && place.size % 2 == 0 && peer == place.next(place.size / 2);
}

void Libnbc::reduce_scatter(const Place& place, const Blocks& blocks, Operands /*operands*/,
                            Send send) const {
  const Payload all{blocks.count(0, place.size), blocks.element()};
  if (all.count == 0) return;
  reduce_to_zero(place, all, send);
  if (place.rank == 0) direct_alltoallv(place, blocks, Empty::sent, send);
}

void Libnbc::reduce_scatter_block(const Place& place, const Payload& block, Operands operands,
                                  Send send) const {
  reduce_scatter(place, Blocks(block.count, block.element), operands, send);
}

void Libnbc::scan(const Place& place, const Payload& payload, Send send) const {
  if (payload.count == 0) return;
  if (settings_.iscan == scan_doubling) return doubling_scan(place, payload.bytes(), send);
  linear_scan(place, payload.bytes(), send);
}

void Libnbc::exscan(const Place& place, const Payload& payload, Send send) const {
  if (settings_.iexscan == scan_doubling) return doubling_scan(place, payload.bytes(), send);
  linear_scan(place, payload.bytes(), send);
}

}  // namespace kith::record::openmpi
