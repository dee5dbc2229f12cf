#include "record/collectives/openmpi/tuned.hpp"

#include "record/collectives/openmpi/thresholds.hpp"
#include "record/collectives/patterns/allgather.hpp"
#include "record/collectives/patterns/alltoall.hpp"
#include "record/collectives/patterns/barrier.hpp"
#include "record/collectives/patterns/broadcast.hpp"
#include "record/collectives/patterns/gather_scatter.hpp"
#include "record/collectives/patterns/reduce_scatter.hpp"
#include "record/collectives/patterns/reduction.hpp"
#include "record/collectives/patterns/scan.hpp"

namespace kith::record::openmpi {
namespace {

// The numbers of coll_tuned_X_algorithm.
enum BarrierAlgorithm {
  barrier_linear = 1,
  barrier_double_ring,
  barrier_doubling,
  barrier_bruck,
  barrier_two_ranks,
  barrier_tree
};
enum BcastAlgorithm {
  bcast_linear = 1,
  bcast_chain,
  bcast_pipeline,
  bcast_split_binary,
  bcast_binary,
  bcast_binomial,
  bcast_k_nomial,
  bcast_scatter_doubling,
  bcast_scatter_ring
};
enum ReduceAlgorithm {
  reduce_linear = 1,
  reduce_chain,
  reduce_pipeline,
  reduce_binary,
  reduce_binomial,
  reduce_in_order_binary,
  reduce_halving
};
enum AllreduceAlgorithm {
  allreduce_linear = 1,
  allreduce_reduce_bcast,
  allreduce_doubling,
  allreduce_ring,
  allreduce_segmented_ring,
  allreduce_halving
};
enum GatherAlgorithm { gather_linear = 1, gather_binomial, gather_synchronised };
enum ScatterAlgorithm { scatter_linear = 1, scatter_binomial, scatter_nonblocking };
enum AllgatherAlgorithm {
  allgather_linear = 1,
  allgather_bruck,
  allgather_doubling,
  allgather_ring,
  allgather_neighbour,
  allgather_two_ranks
};
enum AllgathervAlgorithm {
  allgatherv_gather_bcast = 1,
  allgatherv_bruck,
  allgatherv_ring,
  allgatherv_neighbour,
  allgatherv_two_ranks
};
enum AlltoallAlgorithm { alltoall_linear = 1, alltoall_pairwise, alltoall_bruck };
enum ReduceScatterAlgorithm {
  reduce_scatter_reduce_scatterv = 1,
  reduce_scatter_halving,
  reduce_scatter_ring,
  reduce_scatter_butterfly
};
enum ReduceScatterBlockAlgorithm {
  block_reduce_scatter = 1,
  block_doubling,
  block_halving,
  block_butterfly
};
enum ScanAlgorithm { scan_linear = 1, scan_doubling };

std::uint64_t total_bytes(const Place& place, std::uint64_t block) {
  return block * static_cast<std::uint64_t>(place.size);
}

}  // namespace

Choice Tuned::choose(Collective collective, const Place& place, std::uint64_t user_bytes,
                     std::uint64_t bytes, bool commutes) const {
  const Choice choice = users_choice(settings_, collective, place.size, user_bytes);
  if (choice.algorithm != 0) return choice;
  return {fixed_algorithm(collective, place.size, bytes, commutes), 0, 0};
}

void Tuned::barrier(const Place& place, Send send) const {
  switch (choose(Collective::barrier, place, 0, 0).algorithm) {
    case barrier_linear:
      return linear_barrier(place, send);
    case barrier_double_ring:
      return double_ring_barrier(place, send);
    case barrier_doubling:
      return doubling_barrier(place, send);
    case barrier_bruck:
    case barrier_two_ranks:
      return dissemination_barrier(place, send);
    case barrier_tree:
      return tree_barrier(place, send);
    default:
      return;
  }
}

void Tuned::bcast(const Place& place, int root, const Payload& payload, Send send) const {
  using Shape = Tree::Shape;
  const Choice choice = choose(Collective::bcast, place, payload.bytes(), payload.bytes());
  const auto along = [&](Shape shape, int fanout) {
    tree_broadcast(Tree(shape, place, root, fanout), payload,
                   segment_count(payload, choice.segment_bytes), send);
  };
  switch (choice.algorithm) {
    case bcast_linear:
      return linear_broadcast(place, root, payload, send);
    case bcast_chain:
      return along(Shape::chains, choice.fanout);
    case bcast_pipeline:
      return along(Shape::chains, 1);
    case bcast_split_binary:
      return split_binary_broadcast(place, root, payload, choice.segment_bytes, send);
    case bcast_binary:
      return along(Shape::binary, 2);
    case bcast_binomial:
      return along(Shape::binomial, 2);
    case bcast_k_nomial:
      return along(Shape::k_nomial, settings_.broadcast_radix);
    case bcast_scatter_doubling:
      return scatter_doubling_broadcast(place, root, payload, send);
    case bcast_scatter_ring:
      return scatter_ring_broadcast(place, root, payload, send);
    default:
      return;
  }
}

void Tuned::reduce(const Place& place, int root, const Payload& payload, Operands operands,
                   Send send) const {
  using Shape = Tree::Shape;
  const Choice choice =
      choose(Collective::reduce, place, payload.bytes(), payload.bytes(), operands.commutes);
  const std::int64_t segment = segment_count(payload, choice.segment_bytes);
  const auto along = [&](Shape shape, int fanout) {
    tree_reduce(Tree(shape, place, root, fanout), payload, segment, send);
  };
  switch (choice.algorithm) {
    case reduce_linear:
      return linear_reduce(place, root, payload, send);
    case reduce_chain:
      return along(Shape::chains, choice.fanout);
    case reduce_pipeline:
      return along(Shape::chains, 1);
    case reduce_binary:
      return along(Shape::binary, 2);
    case reduce_binomial:
      return along(Shape::in_order_binomial, 2);
    case reduce_in_order_binary:
      return in_order_binary_reduce(place, root, payload, segment, send);
    case reduce_halving:
      if (!operands.commutes || payload.count < power_of_two_within(place.size)) {
        return linear_reduce(place, root, payload, send);
      }
      return halving_gather_reduce(place, root, payload, send);
    default:
      return;
  }
}

void Tuned::allreduce(const Place& place, const Payload& payload, Operands operands,
                      Send send) const {
  const Choice choice =
      choose(Collective::allreduce, place, payload.bytes(), payload.bytes(), operands.commutes);
  const auto linear = [&] {
    linear_reduce(place, 0, payload, send);
    linear_broadcast(place, 0, payload, send);
  };
  switch (choice.algorithm) {
    case allreduce_linear:
      return linear();
    case allreduce_reduce_bcast:
      reduce(place, 0, payload, operands, send);
      return bcast(place, 0, payload, send);
    case allreduce_doubling:
      return doubling_allreduce(place, payload, send);
    case allreduce_ring:
      return ring_allreduce(place, payload, send);
    case allreduce_segmented_ring:
      return segmented_ring_allreduce(place, payload, segment_count(payload, choice.segment_bytes),
                                      send);
    case allreduce_halving:
      if (!operands.commutes || payload.count < power_of_two_within(place.size)) return linear();
      return halving_doubling_allreduce(place, payload, send);
    default:
      return;
  }
}

void Tuned::gather(const Place& place, int root, const Payload& block, Send send) const {
  const Choice choice =
      choose(Collective::gather, place, total_bytes(place, block.bytes()), block.bytes());
  switch (choice.algorithm) {
    case gather_linear:
      return linear_gather(place, root, block.bytes(), send);
    case gather_binomial:
      return binomial_gather(place, root, block.bytes(), send);
    case gather_synchronised:
      return synchronised_gather(place, root, block, segment_count(block, choice.segment_bytes),
                                 send);
    default:
      return;
  }
}

void Tuned::gatherv(const Place& place, int root, const Payload& block, Send send) const {
  if (block.count > 0) linear_gather(place, root, block.bytes(), send);
}

void Tuned::scatter(const Place& place, int root, const Payload& block, Send send) const {
  const Choice choice =
      choose(Collective::scatter, place, total_bytes(place, block.bytes()), block.bytes());
  switch (choice.algorithm) {
    case scatter_linear:
    case scatter_nonblocking:
      return linear_scatter(place, root, block.bytes(), send);
    case scatter_binomial:
      return binomial_scatter(place, root, block.bytes(), send);
    default:
      return;
  }
}

void Tuned::scatterv(const Place& place, int root, const Blocks& blocks, Send send) const {
  linear_scatterv(place, root, blocks, send);
}

void Tuned::allgather(const Place& place, std::uint64_t decisive_bytes, const Payload& block,
                      Send send) const {
  const Blocks blocks(block.count, block.element);
  const Choice choice =
      choose(Collective::allgather, place, total_bytes(place, decisive_bytes), decisive_bytes);
  switch (choice.algorithm) {
    case allgather_linear:
      gather(place, 0, block, send);
      return bcast(place, 0, {block.count * place.size, block.element}, send);
    case allgather_bruck:
      return bruck_allgather(place, blocks, send);
    case allgather_doubling:
      if (!is_power_of_two(place.size)) return bruck_allgather(place, blocks, send);
      return doubling_allgather(place, blocks, send);
    case allgather_ring:
    case allgather_two_ranks:
      return ring_allgather(place, blocks, send);
    case allgather_neighbour:
      return neighbour_exchange_allgather(place, blocks, send);
    default:
      return;
  }
}

void Tuned::allgatherv(const Place& place, std::uint64_t decisive_element, const Blocks& blocks,
                       Send send) const {
  const std::uint64_t total = blocks.bytes(0, place.size);
  const std::uint64_t mean = static_cast<std::uint64_t>(blocks.count(0, place.size)) *
                             decisive_element / static_cast<std::uint64_t>(place.size);
  switch (choose(Collective::allgatherv, place, mean, mean).algorithm) {
    case allgatherv_gather_bcast:
      gatherv(place, 0, {blocks.count(place.rank), blocks.element()}, send);
      return bcast(place, 0, {1, total}, send);  // all blocks are one element of a derived type
    case allgatherv_bruck:
      return bruck_allgather(place, blocks, send);
    case allgatherv_ring:
    case allgatherv_two_ranks:
      return ring_allgather(place, blocks, send);
    case allgatherv_neighbour:
      return neighbour_exchange_allgather(place, blocks, send);
    default:
      return;
  }
}

void Tuned::alltoall(const Place& place, const Payload& block, Operands operands, Send send) const {
  if (operands.in_place) return direct_alltoall(place, block.bytes(), send);
  const Choice choice =
      choose(Collective::alltoall, place, total_bytes(place, block.bytes()), block.bytes());
  if (choice.algorithm == alltoall_bruck) return bruck_alltoall(place, block.bytes(), send);
  direct_alltoall(place, block.bytes(), send);
}

void Tuned::alltoallv(const Place& place, const Blocks& blocks, Operands operands,
                      Send send) const {
  direct_alltoallv(place, blocks, operands.in_place ? Empty::skipped : Empty::sent, send);
}

bool Tuned::alltoallw_sends_empty(const Place& /*place*/, int /*peer*/,
                                  Operands /*operands*/) const {
  return false;
}

void Tuned::reduce_scatter(const Place& place, const Blocks& blocks, Operands operands,
                           Send send) const {
  const Payload all{blocks.count(0, place.size), blocks.element()};
  const Choice choice =
      choose(Collective::reduce_scatter, place, all.bytes(), all.bytes(), operands.commutes);
  switch (choice.algorithm) {
    case reduce_scatter_reduce_scatterv:
      reduce(place, 0, all, operands, send);
      return scatterv(place, 0, blocks, send);
    case reduce_scatter_halving:
      return halving_reduce_scatter(place, blocks, send);
    case reduce_scatter_ring:
      return ring_reduce_scatter(place, blocks, send);
    case reduce_scatter_butterfly:
      return butterfly_reduce_scatter(place, blocks, send);
    default:
      return;
  }
}

void Tuned::reduce_scatter_block(const Place& place, const Payload& block, Operands operands,
                                 Send send) const {
  const Choice choice = choose(Collective::reduce_scatter_block, place,
                               total_bytes(place, block.bytes()), block.bytes(), operands.commutes);
  const auto reduce_and_scatter = [&] {
    reduce(place, 0, {block.count * place.size, block.element}, operands, send);
    scatter(place, 0, block, send);
  };
  switch (choice.algorithm) {
    case block_reduce_scatter:
      return reduce_and_scatter();
    case block_doubling:
      return doubling_reduce_scatter_block(place, block.bytes(), send);
    case block_halving:
      if (!operands.commutes) return reduce_and_scatter();
      return halving_reduce_scatter(place, Blocks(block.count, block.element), send);
    case block_butterfly:
      return butterfly_reduce_scatter_block(place, block.bytes(), send);
    default:
      return;
  }
}

void Tuned::scan(const Place& place, const Payload& payload, Send send) const {
  const Choice choice =
      users_choice(settings_, Collective::scan, place.size, total_bytes(place, payload.element));
  if (choice.algorithm == scan_doubling) return doubling_scan(place, payload.bytes(), send);
  linear_scan(place, payload.bytes(), send);
}

void Tuned::exscan(const Place& place, const Payload& payload, Send send) const {
  const Choice choice =
      users_choice(settings_, Collective::exscan, place.size, total_bytes(place, payload.element));
  if (choice.algorithm == scan_doubling) return doubling_scan(place, payload.bytes(), send);
  linear_scan(place, payload.bytes(), send);
}

}  // namespace kith::record::openmpi
