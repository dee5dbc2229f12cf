#include "record/collectives/models.hpp"
#include "record/collectives/patterns/patterns.hpp"

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

/// One call on one rank: decides, and sends.
struct TunedCall {
  const Settings& settings;
  const Place& place;
  Send send;

  std::uint64_t total_bytes(std::uint64_t block) const {
    return block * static_cast<std::uint64_t>(place.size);
  }

  // What the user chose for `user_bytes`, else the compiled-in choice for `bytes`.
  Choice choose(Collective collective, std::uint64_t user_bytes, std::uint64_t bytes,
                bool commutes = true) const {
    const Choice choice = users_choice(settings, collective, place.size, user_bytes);
    if (choice.algorithm != 0) return choice;
    return {fixed_algorithm(collective, place.size, bytes, commutes), 0, 0};
  }

  void barrier() const {
    switch (choose(Collective::barrier, 0, 0).algorithm) {
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

  void bcast(int root, const Payload& payload) const {
    using Shape = Tree::Shape;
    const Choice choice = choose(Collective::bcast, payload.bytes(), payload.bytes());
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
        return along(Shape::k_nomial, settings.broadcast_radix);
      case bcast_scatter_doubling:
        return scatter_doubling_broadcast(place, root, payload, send);
      case bcast_scatter_ring:
        return scatter_ring_broadcast(place, root, payload, send);
      default:
        return;
    }
  }

  void reduce(int root, const Payload& payload, bool commutes) const {
    using Shape = Tree::Shape;
    const Choice choice = choose(Collective::reduce, payload.bytes(), payload.bytes(), commutes);
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
        if (!commutes || payload.count < power_of_two_within(place.size)) {
          return linear_reduce(place, root, payload, send);
        }
        return halving_gather_reduce(place, root, payload, send);
      default:
        return;
    }
  }

  void allreduce(const Payload& payload, bool commutes) const {
    const Choice choice = choose(Collective::allreduce, payload.bytes(), payload.bytes(), commutes);
    const auto linear = [&] {
      linear_reduce(place, 0, payload, send);
      linear_broadcast(place, 0, payload, send);
    };
    switch (choice.algorithm) {
      case allreduce_linear:
        return linear();
      case allreduce_reduce_bcast:
        reduce(0, payload, commutes);
        return bcast(0, payload);
      case allreduce_doubling:
        return doubling_allreduce(place, payload, send);
      case allreduce_ring:
        return ring_allreduce(place, payload, send);
      case allreduce_segmented_ring:
        return segmented_ring_allreduce(place, payload,
                                        segment_count(payload, choice.segment_bytes), send);
      case allreduce_halving:
        if (!commutes || payload.count < power_of_two_within(place.size)) return linear();
        return halving_doubling_allreduce(place, payload, send);
      default:
        return;
    }
  }

  void gather(int root, const Payload& block) const {
    const Choice choice = choose(Collective::gather, total_bytes(block.bytes()), block.bytes());
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

  void gatherv(int root, const Payload& block) const {
    if (block.count > 0) linear_gather(place, root, block.bytes(), send);
  }

  void scatter(int root, const Payload& block) const {
    const Choice choice = choose(Collective::scatter, total_bytes(block.bytes()), block.bytes());
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

  void scatterv(int root, const Blocks& blocks) const {
    linear_scatterv(place, root, blocks, send);
  }

  // `decisive_bytes`: what the call says it sends.
  void allgather(std::uint64_t decisive_bytes, const Blocks& blocks) const {
    const Choice choice =
        choose(Collective::allgather, total_bytes(decisive_bytes), decisive_bytes);
    switch (choice.algorithm) {
      case allgather_linear:
        gather(0, {blocks.count(place.rank), blocks.element()});
        return bcast(0, {blocks.count(0, place.size), blocks.element()});
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

  // `decisive_element`: the size of the type sent; decisions multiply it with the counts received.
  void allgatherv(std::uint64_t decisive_element, const Blocks& blocks) const {
    const std::uint64_t total = blocks.bytes(0, place.size);
    const std::uint64_t mean = static_cast<std::uint64_t>(blocks.count(0, place.size)) *
                               decisive_element / static_cast<std::uint64_t>(place.size);
    switch (choose(Collective::allgatherv, mean, mean).algorithm) {
      case allgatherv_gather_bcast:
        gatherv(0, {blocks.count(place.rank), blocks.element()});
        return bcast(0, {1, total});  // all blocks are one element of a derived type
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

  void alltoall(const Payload& block, bool in_place) const {
    if (in_place) return direct_alltoall(place, block.bytes(), send);
    const Choice choice = choose(Collective::alltoall, total_bytes(block.bytes()), block.bytes());
    if (choice.algorithm == alltoall_bruck) return bruck_alltoall(place, block.bytes(), send);
    direct_alltoall(place, block.bytes(), send);
  }

  void reduce_scatter(const Blocks& blocks, bool commutes) const {
    const Payload all{blocks.count(0, place.size), blocks.element()};
    const Choice choice = choose(Collective::reduce_scatter, all.bytes(), all.bytes(), commutes);
    switch (choice.algorithm) {
      case reduce_scatter_reduce_scatterv:
        reduce(0, all, commutes);
        return scatterv(0, blocks);
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

  void reduce_scatter_block(const Payload& block, bool commutes) const {
    const Choice choice = choose(Collective::reduce_scatter_block, total_bytes(block.bytes()),
                                 block.bytes(), commutes);
    const auto reduce_and_scatter = [&] {
      reduce(0, {block.count * place.size, block.element}, commutes);
      scatter(0, block);
    };
    switch (choice.algorithm) {
      case block_reduce_scatter:
        return reduce_and_scatter();
      case block_doubling:
        return doubling_reduce_scatter(place, Blocks(1, block.bytes()), send);
      case block_halving:
        if (!commutes) return reduce_and_scatter();
        return halving_reduce_scatter(place, Blocks(block.count, block.element), send);
      case block_butterfly:
        return butterfly_reduce_scatter_block(place, block.bytes(), send);
      default:
        return;
    }
  }

  void scan(Collective inclusive_or_not, const Payload& payload) const {
    const Choice choice =
        users_choice(settings, inclusive_or_not, place.size, total_bytes(payload.element));
    if (choice.algorithm == scan_doubling) return doubling_scan(place, payload.bytes(), send);
    linear_scan(place, payload.bytes(), send);
  }
};

}  // namespace

void Tuned::messages(Collective collective, const Place& place, const Arguments& call,
                     Send send) const {
  const TunedCall tuned{settings_, place, send};
  switch (collective) {
    case Collective::barrier:
      return tuned.barrier();
    case Collective::bcast:
      return tuned.bcast(call.root, call.payload);
    case Collective::reduce:
      return tuned.reduce(call.root, call.payload, call.commutes);
    case Collective::allreduce:
      return tuned.allreduce(call.payload, call.commutes);
    case Collective::gather:
      return tuned.gather(call.root, call.payload);
    case Collective::gatherv:
      return tuned.gatherv(call.root, call.payload);
    case Collective::scatter:
      return tuned.scatter(call.root, call.payload);
    case Collective::scatterv:
      return tuned.scatterv(call.root, call.blocks);
    case Collective::allgather:
      return tuned.allgather(call.payload.bytes(), call.blocks);
    case Collective::allgatherv:
      return tuned.allgatherv(call.payload.element, call.blocks);
    case Collective::alltoall:
      return tuned.alltoall(call.payload, call.in_place);
    case Collective::alltoallv:
      return direct_alltoallv(place, call.blocks, call.in_place ? Empty::skipped : Empty::sent,
                              send);
    case Collective::alltoallw:
      return direct_alltoallw(place, call.bytes_to, send);
    case Collective::reduce_scatter:
      return tuned.reduce_scatter(call.blocks, call.commutes);
    case Collective::reduce_scatter_block:
      return tuned.reduce_scatter_block(call.payload, call.commutes);
    case Collective::scan:
    case Collective::exscan:
      return tuned.scan(collective, call.payload);
  }
}

}  // namespace kith::record::openmpi
