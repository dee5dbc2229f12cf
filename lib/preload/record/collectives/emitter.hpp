// Where the messages of one call go: into the counters now, or into a persistent request.
#pragma once

#include <new>
#include <vector>

#include "record/collectives/collectives.hpp"
#include "record/requests.hpp"

namespace kith::record {

/// Counts, or collects and hands over when destroyed. Without memory a persistent request's
/// messages go uncounted: counting never fails the program.
class Emitter {
 public:
  Emitter(const Member& member, const CollectiveOn& on, CallClass c)
      : member_(member), on_(on), class_(c) {}
  ~Emitter() {
    if (on_.timing == Timing::persistent) remember_messages(on_.request, prepared_);
    if (own_group_ != MPI_GROUP_NULL) PMPI_Group_free(&own_group_);
  }
  Emitter(const Emitter&) = delete;
  Emitter& operator=(const Emitter&) = delete;

  /// A message to rank `peer` of the communicator, or of its other group.
  void to_peer(int peer, std::uint64_t bytes) {
    if (on_.timing == Timing::persistent) {
      prepare(world_rank_of(member_.comm, peer), bytes);
    } else {
      member_(peer, bytes, class_);
    }
  }

  /// A message within the own group of a communicator between two.
  void to_own_group(int peer, std::uint64_t bytes) {
    if (own_group_ == MPI_GROUP_NULL) PMPI_Comm_group(member_.comm, &own_group_);
    const int world_rank = world_rank_in(own_group_, peer);
    if (on_.timing == Timing::persistent) {
      prepare(world_rank, bytes);
    } else {
      count_to_world_rank(class_, world_rank, bytes);
    }
  }

 private:
  void prepare(int world_rank, std::uint64_t bytes) {
    try {
      prepared_.push_back({world_rank, class_, bytes});
    } catch (const std::bad_alloc&) {
    }
  }

  const Member& member_;
  const CollectiveOn& on_;
  CallClass class_;
  MPI_Group own_group_ = MPI_GROUP_NULL;
  std::vector<PreparedMessage> prepared_;
};

}  // namespace kith::record
