// Nonblocking and persistent collectives, as Open MPI 4.1 sends them: its "libnbc" component. It
// has decisions and algorithms of its own.
#pragma once

#include "record/collectives/decomposition.hpp"
#include "record/collectives/openmpi/settings.hpp"

namespace kith::record::openmpi {

class Libnbc final : public IntraCollectives {
 public:
  /// Refers to the settings.
  constexpr explicit Libnbc(const Settings& settings) : settings_(settings) {}

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
  const Settings& settings_;
};

/// The same between two groups.
class LibnbcInter final : public InterCollectives {
 public:
  void barrier(const InterPlace& place, InterSend send) const override;
  void bcast(const InterPlace& place, InterRoot root, const Payload& payload,
             InterSend send) const override;
  void reduce(const InterPlace& place, InterRoot root, const Payload& payload, Operands operands,
              InterSend send) const override;
  void allreduce(const InterPlace& place, const Payload& payload, Operands operands,
                 InterSend send) const override;
  void gather(const InterPlace& place, InterRoot root, const Payload& block,
              InterSend send) const override;
  void gatherv(const InterPlace& place, InterRoot root, const Payload& block,
               InterSend send) const override;
  void scatter(const InterPlace& place, InterRoot root, const Payload& block,
               InterSend send) const override;
  void scatterv(const InterPlace& place, InterRoot root, const Blocks& blocks,
                const Payload& received, InterSend send) const override;
  void allgather(const InterPlace& place, const Payload& sent, const Payload& received,
                 InterSend send) const override;
  void allgatherv(const InterPlace& place, const Payload& sent, const Blocks& received,
                  InterSend send) const override;
  void alltoall(const InterPlace& place, const Payload& block, InterSend send) const override;
  void alltoallv(const InterPlace& place, const Blocks& blocks, InterSend send) const override;
  void reduce_scatter(const InterPlace& place, const Blocks& blocks, InterSend send) const override;
  void reduce_scatter_block(const InterPlace& place, const Payload& block,
                            InterSend send) const override;
};

}  // namespace kith::record::openmpi
