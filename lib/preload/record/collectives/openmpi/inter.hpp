// Blocking collectives between two groups, as Open MPI 4.1 sends them: its "inter" component, which
// composes them of collectives within a group and messages between the first ranks, and "basic" for
// what that leaves out.
#pragma once

#include "record/collectives/decomposition.hpp"

namespace kith::record::openmpi {

class Inter final : public InterCollectives {
 public:
  /// Refers to what is used within a group.
  constexpr explicit Inter(const IntraCollectives& within) : within_(within) {}

  void barrier(const InterPlace& place, InterSend send) const override;
  void bcast(const InterPlace& place, InterRoot root, const Payload& payload,
             InterSend send) const override;
  void reduce(const InterPlace& place, InterRoot root, const Payload& payload, Operands operands,
              InterSend send) const override;
  void allreduce(const InterPlace& place, const Payload& payload, Operands operands,
                 InterSend send) const override;
  void gather(const InterPlace& place, InterRoot root, const Payload& block,
              InterSend send) const override;
  /// What the others of the group send is unknown without asking them: taken to be as much.
  void gatherv(const InterPlace& place, InterRoot root, const Payload& block,
               InterSend send) const override;
  void scatter(const InterPlace& place, InterRoot root, const Payload& block,
               InterSend send) const override;
  /// What the others of the group receive is taken to be as much as the calling rank does.
  void scatterv(const InterPlace& place, InterRoot root, const Blocks& blocks,
                const Payload& received, InterSend send) const override;
  void allgather(const InterPlace& place, const Payload& sent, const Payload& received,
                 InterSend send) const override;
  /// What the others of the group send is taken to be as much.
  void allgatherv(const InterPlace& place, const Payload& sent, const Blocks& received,
                  InterSend send) const override;
  void alltoall(const InterPlace& place, const Payload& block, InterSend send) const override;
  void alltoallv(const InterPlace& place, const Blocks& blocks, InterSend send) const override;
  void reduce_scatter(const InterPlace& place, const Blocks& blocks, InterSend send) const override;
  void reduce_scatter_block(const InterPlace& place, const Payload& block,
                            InterSend send) const override;

 private:
  const IntraCollectives& within_;
};

}  // namespace kith::record::openmpi
