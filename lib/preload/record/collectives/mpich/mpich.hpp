// Collectives of one group as MPICH and its descendants send them, by their default thresholds
// (MPIR_CVAR_*). Sources: Thakur, Rabenseifner, Gropp, "Optimization of Collective Communication
// Operations in MPICH" (2005), and the defaults of MPICH 4.0. Flat algorithms only: those that
// treat the ranks of a host first, and shared memory, are not modelled.
#pragma once

#include "record/collectives/decomposition.hpp"

namespace kith::record {

class Mpich final : public IntraCollectives {
 public:
  void barrier(const Place& place, Send send) const override;
  void bcast(const Place& place, int root, const Payload& payload, Send send) const override;
  void reduce(const Place& place, int root, const Payload& payload, Operands operands,
              Send send) const override;
  void allreduce(const Place& place, const Payload& payload, Operands operands,
                 Send send) const override;
  void gather(const Place& place, int root, const Payload& block, Send send) const override;
  void gatherv(const Place& place, int root, const Payload& block, Send send) const override;
  void scatter(const Place& place, int root, const Payload& block, Send send) const override;
  void scatterv(const Place& place, int root, const Blocks& blocks, Send send) const override;
  void allgather(const Place& place, std::uint64_t decisive_bytes, const Payload& block,
                 Send send) const override;
  void allgatherv(const Place& place, std::uint64_t decisive_element, const Blocks& blocks,
                  Send send) const override;
  void alltoall(const Place& place, const Payload& block, Operands operands,
                Send send) const override;
  void alltoallv(const Place& place, const Blocks& blocks, Operands operands,
                 Send send) const override;
  bool alltoallw_sends_empty(const Place& place, int peer, Operands operands) const override;
  void reduce_scatter(const Place& place, const Blocks& blocks, Operands operands,
                      Send send) const override;
  void reduce_scatter_block(const Place& place, const Payload& block, Operands operands,
                            Send send) const override;
  void scan(const Place& place, const Payload& payload, Send send) const override;
  void exscan(const Place& place, const Payload& payload, Send send) const override;
};

}  // namespace kith::record
