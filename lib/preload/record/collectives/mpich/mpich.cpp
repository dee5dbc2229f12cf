#include "record/collectives/mpich/mpich.hpp"

#include "record/collectives/patterns/allgather.hpp"
#include "record/collectives/patterns/alltoall.hpp"
#include "record/collectives/patterns/barrier.hpp"
#include "record/collectives/patterns/broadcast.hpp"
#include "record/collectives/patterns/gather_scatter.hpp"
#include "record/collectives/patterns/reduce_scatter.hpp"
#include "record/collectives/patterns/reduction.hpp"
#include "record/collectives/patterns/scan.hpp"

namespace kith::record {
namespace {

constexpr std::uint64_t short_bcast = 12288;
constexpr std::uint64_t long_bcast = 524288;
constexpr int few_ranks = 8;  // below: trees for broadcasts, no Bruck for alltoalls
constexpr std::uint64_t short_allgather = 81920;
constexpr std::uint64_t long_allgather = 524288;
constexpr std::uint64_t short_reduction = 2048;
constexpr std::uint64_t short_alltoall = 256;
constexpr std::uint64_t long_reduce_scatter = 524288;

bool is_worth_halving(const Place& place, const Payload& payload, Operands operands) {
  return payload.bytes() > short_reduction && operands.commutes &&
         payload.count >= power_of_two_within(place.size);
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

}  // namespace

void Mpich::barrier(const Place& place, Send send) const {
  dissemination_barrier(place, send);
}

void Mpich::bcast(const Place& place, int root, const Payload& payload, Send send) const {
  const Payload bytes{static_cast<std::int64_t>(payload.bytes()),
                      1};  // cut without regard to types
  if (payload.bytes() < short_bcast || place.size < few_ranks) {
    tree_broadcast(Tree(Tree::Shape::in_order_binomial, place, root), bytes, bytes.count, send);
  } else if (payload.bytes() < long_bcast && is_power_of_two(place.size)) {
    scatter_doubling_broadcast(place, root, bytes, send);
  } else {
    scatter_ring_broadcast(place, root, bytes, send);
  }
}

void Mpich::reduce(const Place& place, int root, const Payload& payload, Operands operands,
                   Send send) const {
  if (is_worth_halving(place, payload, operands)) {
    halving_gather_reduce(place, root, payload, send);
    return;
  }
  const int tree_root = operands.commutes ? root : 0;
  tree_reduce(Tree(Tree::Shape::in_order_binomial, place, tree_root), payload, payload.count, send);
  if (tree_root != root && place.rank == tree_root) send(root, payload.bytes());
}

void Mpich::allreduce(const Place& place, const Payload& payload, Operands operands,
                      Send send) const {
  if (is_worth_halving(place, payload, operands)) {
    halving_doubling_allreduce(place, payload, send);
  } else {
    doubling_allreduce(place, payload, send);
  }
}

void Mpich::gather(const Place& place, int root, const Payload& block, Send send) const {
  binomial_gather(place, root, block.bytes(), send);
}

void Mpich::gatherv(const Place& place, int root, const Payload& block, Send send) const {
  if (block.count > 0) linear_gather(place, root, block.bytes(), send);
}

void Mpich::scatter(const Place& place, int root, const Payload& block, Send send) const {
  binomial_scatter(place, root, block.bytes(), send);
}

void Mpich::scatterv(const Place& place, int root, const Blocks& blocks, Send send) const {
  linear_scatterv(place, root, blocks, send);
}

void Mpich::allgather(const Place& place, std::uint64_t /*decisive_bytes*/, const Payload& block,
                      Send send) const {
  gather_to_all(place, Blocks(block.count, block.element), send);
}

void Mpich::allgatherv(const Place& place, std::uint64_t /*decisive_element*/, const Blocks& blocks,
                       Send send) const {
  gather_to_all(place, blocks, send);
}

void Mpich::alltoall(const Place& place, const Payload& block, Operands operands, Send send) const {
  if (!operands.in_place && block.bytes() <= short_alltoall && place.size >= few_ranks) {
    bruck_alltoall(place, block.bytes(), send);
  } else {
    direct_alltoall(place, block.bytes(), send);
  }
}

void Mpich::alltoallv(const Place& place, const Blocks& blocks, Operands /*operands*/,
                      Send send) const {
  direct_alltoallv(place, blocks, Empty::skipped, send);
}

bool Mpich::alltoallw_sends_empty(const Place& /*place*/, int /*peer*/,
                                  Operands /*operands*/) const {
  return false;
}

void Mpich::reduce_scatter(const Place& place, const Blocks& blocks, Operands operands,
                           Send send) const {
  if (!operands.commutes) {
    butterfly_reduce_scatter(place, blocks, send);
  } else if (blocks.bytes(0, place.size) < long_reduce_scatter) {
    halving_reduce_scatter(place, blocks, send);
  } else {
    direct_alltoallv(place, blocks, Empty::sent, send);  // in turn, to each its block
  }
}

void Mpich::reduce_scatter_block(const Place& place, const Payload& block, Operands operands,
                                 Send send) const {
  reduce_scatter(place, Blocks(block.count, block.element), operands, send);
}

void Mpich::scan(const Place& place, const Payload& payload, Send send) const {
  doubling_scan(place, payload.bytes(), send);
}

void Mpich::exscan(const Place& place, const Payload& payload, Send send) const {
  doubling_scan(place, payload.bytes(), send);
}

}  // namespace kith::record
