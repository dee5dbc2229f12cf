#include "record/collectives/models.hpp"
#include "record/collectives/patterns/patterns.hpp"

namespace kith::record {
namespace {

constexpr std::uint64_t short_bcast = 12288;
constexpr std::uint64_t long_bcast = 524288;
constexpr int few_ranks = 8;  // below: trees for broadcasts, no Bruck for alltoalls
constexpr std::uint64_t short_allgather = 81920;
constexpr std::uint64_t long_allgather = 524288;
constexpr std::uint64_t short_reduction = 2048;
constexpr std::uint64_t short_blocking_allreduce = 8;
constexpr std::uint64_t short_alltoall = 256;
constexpr std::uint64_t long_reduce_scatter = 524288;

/// Only MPI's own operations are split: others might not go with every element type.
bool is_worth_halving(const Place& place, const Arguments& call, std::uint64_t short_bytes) {
  return call.payload.bytes() > short_bytes && call.commutes && call.is_built_in &&
         call.payload.count >= power_of_two_within(place.size);
}

void gather_to_all(const Place& place, const Blocks& blocks, Send send) {
  const std::uint64_t total = blocks.bytes(0, place.size);
  if (total < long_allgather && is_power_of_two(place.size)) {
    doubling_allgather(place, blocks, send);
  } else if (total < short_allgather) {
    bruck_allgather(place, blocks, send);
  } else {
    ring_allgather(place, blocks, send);
  }
}

void broadcast(const Place& place, int root, const Payload& payload, Send send) {
  // Cut without regard to types.
  const Payload bytes{static_cast<std::int64_t>(payload.bytes()), 1};
  if (payload.bytes() < short_bcast || place.size < few_ranks) {
    tree_broadcast(Tree(Tree::Shape::in_order_binomial, place, root), bytes, bytes.count, send);
  } else if (payload.bytes() < long_bcast && is_power_of_two(place.size)) {
    scatter_doubling_broadcast(place, root, bytes, send);
  } else {
    scatter_ring_broadcast(place, root, bytes, send);
  }
}

void reduce_to_root(const Place& place, const Arguments& call, Rest rest, Send send) {
  const Payload& payload = call.payload;
  const int root = call.root;
  if (is_worth_halving(place, call, short_reduction)) {
    block_halving_gather_reduce(place, root, payload, rest, send);
    return;
  }
  const int tree_root = call.commutes ? root : 0;
  tree_reduce(Tree(Tree::Shape::in_order_binomial, place, tree_root), payload, payload.count, send);
  if (tree_root != root && place.rank == tree_root) send(root, payload.bytes());
}

void reduce_to_all(const Place& place, const Arguments& call, std::uint64_t short_bytes, Rest rest,
                   Send send) {
  if (is_worth_halving(place, call, short_bytes)) {
    block_halving_doubling_allreduce(place, call.payload, rest, send);
  } else {
    doubling_allreduce(place, call.payload, send);
  }
}

void exchange(const Place& place, std::uint64_t block, bool in_place, Send send) {
  if (!in_place && block <= short_alltoall && place.size >= few_ranks) {
    bruck_alltoall(place, block, send);
  } else {
    direct_alltoall(place, block, send);
  }
}

bool are_equal(const Place& place, const Blocks& blocks) {
  for (int rank = 1; rank < place.size; ++rank) {
    if (blocks.count(rank) != blocks.count(0)) return false;
  }
  return true;
}

void reduce_blocks(const Place& place, const Blocks& blocks, bool commutes, Send send) {
  if (!commutes && is_power_of_two(place.size) && are_equal(place, blocks)) {
    butterfly_reduce_scatter_block(place, blocks.bytes(0), send);
  } else if (!commutes) {
    doubling_reduce_scatter(place, blocks, send);
  } else if (blocks.bytes(0, place.size) < long_reduce_scatter) {
    halving_reduce_scatter(place, blocks, send);
  } else {
    direct_alltoallv(place, blocks, Empty::sent, send);  // in turn, to each its block
  }
}

}  // namespace

void Mpich::messages(Collective collective, const Place& place, const Arguments& call,
                     Send send) const {
  const Payload& payload = call.payload;
  const bool is_blocking = calls_ == Calls::blocking;
  const Rest rest = is_blocking ? Rest::to_first : Rest::to_last;
  switch (collective) {
    case Collective::barrier:
      return dissemination_barrier(place, send);
    case Collective::bcast:
      return broadcast(place, call.root, payload, send);
    case Collective::reduce:
      return reduce_to_root(place, call, rest, send);
    case Collective::allreduce:
      return reduce_to_all(place, call, is_blocking ? short_blocking_allreduce : short_reduction,
                           rest, send);
    case Collective::gather:
      return binomial_gather(place, call.root, payload.bytes(), send);
    case Collective::gatherv:
      if (payload.count > 0) linear_gather(place, call.root, payload.bytes(), send);
      return;
    case Collective::scatter:
      return binomial_scatter(place, call.root, payload.bytes(), send);
    case Collective::scatterv:
      return linear_scatterv(place, call.root, call.blocks, send);
    case Collective::allgather:
    case Collective::allgatherv:
      return gather_to_all(place, call.blocks, send);
    case Collective::alltoall:
      return exchange(place, payload.bytes(), call.in_place, send);
    case Collective::alltoallv:
      return direct_alltoallv(place, call.blocks, Empty::skipped, send);
    case Collective::alltoallw:
      return direct_alltoallw(place, call.bytes_to, send);
    case Collective::reduce_scatter:
      return reduce_blocks(place, call.blocks, call.commutes, send);
    case Collective::reduce_scatter_block:
      return reduce_blocks(place, Blocks(payload.count, payload.element), call.commutes, send);
    case Collective::scan:
    case Collective::exscan:
      return doubling_scan(place, payload.bytes(), send);
  }
}

}  // namespace kith::record
