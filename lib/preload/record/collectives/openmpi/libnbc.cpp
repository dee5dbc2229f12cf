// Nonblocking and persistent collectives within one group.
#include "record/collectives/models.hpp"
#include "record/collectives/patterns/patterns.hpp"

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

// When which: by ranks and bytes. Whether the operation commutes, and whether there are enough
// elements to halve, comes on top.
constexpr std::uint32_t any = Step::any;
constexpr Step bcast_steps[] = {{5, any, bcast_linear}, {any, any, bcast_binomial}};
constexpr Step bcast_steps_by_size[] = {
    {5, any, bcast_linear}, {any, 65536, bcast_binomial}, {any, any, bcast_chain}};
constexpr Step reduce_steps[] = {
    {any, 65536, reduce_binomial}, {5, any, reduce_chain}, {any, any, reduce_binomial}};
constexpr Step allreduce_steps[] = {
    {4, any, allreduce_binomial}, {any, 65536, allreduce_binomial}, {any, any, allreduce_ring}};

constexpr std::uint64_t reduce_fragment = 8192;
std::uint64_t bcast_fragment(std::uint64_t bytes, bool is_forced) {
  if (is_forced) return 16384;
  return bytes < 524288 ? 8192 : 32768;
}

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

bool can_halve_among(const Place& place, const Payload& payload, bool commutes) {
  return commutes && payload.count >= power_of_two_within(place.size);
}

/// One call on one rank: decides, and sends.
struct LibnbcCall {
  const Settings& settings;
  const Place& place;
  Send send;

  int bcast_algorithm(const Payload& payload) const {
    if (settings.ibcast != 0) return settings.ibcast;
    if (settings.ibcast_ignores_size) return decided(bcast_steps, place.size, payload.bytes());
    return decided(bcast_steps_by_size, place.size, payload.bytes());
  }

  void bcast(int root, const Payload& payload) const {
    const int algorithm = bcast_algorithm(payload);
    if (algorithm == bcast_binomial) {
      with_swapped_root(place, root, send, [&](const Place& swapped, Send to) {
        Tree(Tree::Shape::binomial, swapped, 0).for_each_child([&](int child) {
          send_whole(child, payload, to);
        });
      });
    } else if (algorithm == bcast_chain) {
      const std::uint64_t fragment = bcast_fragment(payload.bytes(), settings.ibcast != 0);
      with_swapped_root(place, root, send, [&](const Place& swapped, Send to) {
        if (swapped.rank + 1 < swapped.size) {
          send_fragments(swapped.rank + 1, payload, fragment, to);
        }
      });
    } else if (algorithm == bcast_k_nomial && settings.ibcast_radix > 1) {
      Tree(Tree::Shape::k_nomial, place, root, settings.ibcast_radix)
          .for_each_child([&](int child) { send_whole(child, payload, send); });
    } else {
      linear_broadcast(place, root, payload, send);
    }
  }

  int reduce_algorithm(const Payload& payload, bool commutes, bool can_halve) const {
    if (settings.ireduce != 0) return settings.ireduce;
    if (can_halve) return reduce_halving;
    return commutes ? decided(reduce_steps, place.size, payload.bytes()) : reduce_binomial;
  }

  void reduce(int root, const Payload& payload, bool commutes) const {
    const bool can_halve = place.size > 2 && can_halve_among(place, payload, commutes);
    const int algorithm = reduce_algorithm(payload, commutes, can_halve);
    if (algorithm == reduce_halving && can_halve) {
      halving_gather_reduce(place, root, payload, send);
    } else if (algorithm == reduce_binomial) {
      const int tree_root = commutes ? root : 0;
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

  int allreduce_algorithm(const Payload& payload, const Arguments& call, bool can_halve) const {
    if (settings.iallreduce != 0) return settings.iallreduce;
    if (!call.commutes || call.in_place) return allreduce_binomial;
    const int algorithm = decided(allreduce_steps, place.size, payload.bytes());
    return algorithm == allreduce_ring && can_halve ? allreduce_halving : algorithm;
  }

  void allreduce(const Arguments& call) const {
    const Payload& payload = call.payload;
    const bool can_halve = can_halve_among(place, payload, call.commutes);
    const int algorithm = allreduce_algorithm(payload, call, can_halve);
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

  void allgather(const Blocks& blocks) const {
    if (settings.iallgather == allgather_doubling && is_power_of_two(place.size)) {
      doubling_allgather(place, blocks, send);
    } else {
      direct_allgather(place, blocks.bytes(place.rank), send);
    }
  }

  // In place, ranks swap with those at the same distance on both sides; the one opposite, which has
  // no counterpart, is written to in any case.
  void alltoallw(BytesTo bytes_to, bool in_place) const {
    const int opposite = in_place && place.size % 2 == 0 ? place.next(place.size / 2) : -1;
    for (int distance = 1; distance < place.size; ++distance) {
      const int peer = place.next(distance);
      const std::uint64_t bytes = bytes_to(peer);
      if (bytes > 0 || peer == opposite) send(peer, bytes);
    }
  }

  void reduce_scatter(const Blocks& blocks) const {
    const Payload all{blocks.count(0, place.size), blocks.element()};
    if (all.count == 0) return;
    reduce_to_zero(place, all, send);
    if (place.rank == 0) direct_alltoallv(place, blocks, Empty::sent, send);
  }

  void scan(int algorithm, const Payload& payload) const {
    if (algorithm == scan_doubling) return doubling_scan(place, payload.bytes(), send);
    linear_scan(place, payload.bytes(), send);
  }
};

}  // namespace

void Libnbc::messages(Collective collective, const Place& place, const Arguments& call,
                      Send send) const {
  const LibnbcCall libnbc{settings_, place, send};
  const Payload& payload = call.payload;
  switch (collective) {
    case Collective::barrier:
      return dissemination_barrier(place, send);
    case Collective::bcast:
      return libnbc.bcast(call.root, payload);
    case Collective::reduce:
      return libnbc.reduce(call.root, payload, call.commutes);
    case Collective::allreduce:
      return libnbc.allreduce(call);
    case Collective::gather:
    case Collective::gatherv:
      return linear_gather(place, call.root, payload.bytes(), send);
    case Collective::scatter:
      return linear_scatter(place, call.root, payload.bytes(), send);
    case Collective::scatterv:
      if (place.rank == call.root) direct_alltoallv(place, call.blocks, Empty::sent, send);
      return;
    case Collective::allgather:
      return libnbc.allgather(call.blocks);
    case Collective::allgatherv:
      return direct_allgather(place, call.blocks.bytes(place.rank), send);
    case Collective::alltoall:
      return direct_alltoall(place, payload.bytes(), send);
    case Collective::alltoallv:
      return direct_alltoallv(place, call.blocks, Empty::skipped, send);
    case Collective::alltoallw:
      return libnbc.alltoallw(call.bytes_to, call.in_place);
    case Collective::reduce_scatter:
      return libnbc.reduce_scatter(call.blocks);
    case Collective::reduce_scatter_block:
      return libnbc.reduce_scatter(Blocks(payload.count, payload.element));
    case Collective::scan:
      if (payload.count > 0) libnbc.scan(settings_.iscan, payload);
      return;
    case Collective::exscan:
      return libnbc.scan(settings_.iexscan, payload);
  }
}

}  // namespace kith::record::openmpi
