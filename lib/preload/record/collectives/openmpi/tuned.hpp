// Blocking collectives of one group, as Open MPI 4.1 sends them: its "tuned" component, and "basic"
// for what that leaves out.
#pragma once

#include "record/collectives/decomposition.hpp"
#include "record/collectives/openmpi/settings.hpp"

namespace kith::record::openmpi {

class Tuned final : public IntraCollectives {
 public:
  /// Refers to the settings.
  constexpr explicit Tuned(const Settings& settings) : settings_(settings) {}

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

 private:
  // What the user chose for `user_bytes`, else the compiled-in choice for `bytes`.
  Choice choose(Collective collective, const Place& place, std::uint64_t user_bytes,
                std::uint64_t bytes, bool commutes = true) const;

  const Settings& settings_;
};

}  // namespace kith::record::openmpi
