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
#include "record/timeline/events.hpp"

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

/// The member, and what records the messages of a call: the counters, the timeline of this thread, or
/// both. Nothing if neither does.
struct Listeners {
  Member member;
  bool counters;
  ThreadTimeline* timeline;
};
std::optional<Listeners> listeners_of(MPI_Comm comm);

/// Where the messages of one call go: into the counters now, or into a persistent request, to which
/// they are handed over when this ends. Without memory a persistent request's messages go
/// uncounted: counting never fails the program.
class Emitter {
 public:
  Emitter(const Member& member, const CollectiveOn& on, CallClass c)
      : member_(member), on_(on), class_(c) {}
  /// `list`: messages go there as well, as entries of a timeline's list.
  Emitter(const Listeners& listeners, const CollectiveOn& on, CallClass c, NumberList* list)
      : member_(listeners.member), on_(on), class_(c), counts_(listeners.counters), list_(list) {}
  ~Emitter() {
    if (counts_ && on_.timing == Timing::persistent) remember_messages(on_.request, prepared_);
    if (own_group_ != MPI_GROUP_NULL) PMPI_Group_free(&own_group_);
  }
  Emitter(const Emitter&) = delete;
  Emitter& operator=(const Emitter&) = delete;

  /// A message to rank `peer` of the communicator, or of its other group.
  void to_peer(int peer, std::uint64_t bytes) {
    if (list_ != nullptr) list(world_rank_of(member_.comm, peer), bytes);
    if (!counts_) return;
    if (on_.timing == Timing::persistent) {
      prepare(world_rank_of(member_.comm, peer), bytes);
    } else {
      count_message(class_, member_.comm, peer, bytes);
    }
  }

  /// Bytes that went to the list.
  std::uint64_t listed() const { return listed_; }

  /// A message within the own group of a communicator between two.
  void to_own_group(int peer, std::uint64_t bytes) {
    if (own_group_ == MPI_GROUP_NULL) PMPI_Comm_group(member_.comm, &own_group_);
    const int world_rank = world_rank_in(own_group_, peer);
    if (list_ != nullptr) list(world_rank, bytes);
    if (!counts_) return;
    if (on_.timing == Timing::persistent) {
      prepare(world_rank, bytes);
    } else {
      count_to_world_rank(class_, world_rank, bytes);
    }
  }

 private:
  void list(int world_rank, std::uint64_t bytes) {
    list_->push(peer_of(world_rank));
    list_->push(static_cast<std::int64_t>(bytes));
    list_->push(1);
    listed_ += bytes;
  }
  void prepare(int world_rank, std::uint64_t bytes) {
    try {
      prepared_.push_back({world_rank, class_, bytes});
    } catch (const std::bad_alloc&) {
    }
  }

  const Member& member_;
  const CollectiveOn& on_;
  CallClass class_;
  bool counts_ = true;
  NumberList* list_ = nullptr;
  std::uint64_t listed_ = 0;
  MPI_Group own_group_ = MPI_GROUP_NULL;
  std::vector<PreparedMessage> prepared_;
};

/// Hands the messages of a collective, called in that way, to `emitter`. Only for a member that is
/// not alone.
void emit_messages(Collective collective, Timing timing, const Member& member,
                   const Arguments& arguments, Emitter& emitter);

/// How the members of a communicator agree on the identifier of one that they make: by so many
/// allreduces of so many ints.
struct Agreement {
  int rounds;
  int ints;
  Timing timing;  ///< of a call that waits; one that doesn't is nonblocking
};
Agreement agreement_on_identifier();

}  // namespace kith::record
