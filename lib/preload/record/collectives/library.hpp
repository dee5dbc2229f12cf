// The model of this job's MPI library: whether it counts, for which communicators, and where the
// messages of a call go.
#pragma once

#include <new>
#include <optional>
#include <vector>

#include "mpi/late_mpi.h"
#include "record/collectives/calls.hpp"
#include "record/collectives/model.hpp"
#include "record/counting.hpp"
#include "record/requests.hpp"

namespace kith::record {

/// Turns the decomposition on or off (KITH_COLLECTIVES). Turning it on reads what the user told the
/// library about its collectives; without memory it stays off.
void set_collective_model(bool on);

/// The calling rank as a member of a communicator.
struct Member {
  MPI_Comm comm;
  Place place;      ///< in its own group
  bool inter;       ///< between two groups
  int remote_size;  ///< of the other group

  bool is_alone() const { return !inter && place.size < 2; }
};

/// Nothing where the model is off or another source counts this communicator's collectives.
std::optional<Member> member_of(MPI_Comm comm);

/// Where the messages of one call go: into the counters now, or into a persistent request, to which
/// they are handed over when this ends. Without memory a persistent request's messages go
/// uncounted: counting never fails the program.
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
      count_message(class_, member_.comm, peer, bytes);
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

/// Hands the messages of a collective, called in that way, to `emitter`. Only for a member that is
/// not alone.
void emit_messages(Collective collective, Timing timing, const Member& member,
                   const Arguments& arguments, Emitter& emitter);

/// How many nonblocking allreduces of one int the members need to make a communicator; 0: unknown.
int agreements_to_make_communicator();

}  // namespace kith::record
