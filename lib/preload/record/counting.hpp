// From (communicator, rank) to the counter: the way of every message.
#pragma once

#include <cstdint>
#include <vector>

#include "mpi/late_mpi.h"
#include "record/thread_record.hpp"

namespace kith::record {

/// The matrix that a class of call belongs to.
constexpr TrafficClass matrix_of(CallClass c) {
  switch (c) {
    case CallClass::p2p:
      return TrafficClass::p2p;
    case CallClass::rma:
      return TrafficClass::rma;
    default:
      return TrafficClass::coll;
  }
}

/// A message inside a call that sets something up, or of an epoch, for the timeline.
void note_inner_message(ThreadRecord& record, const RowEntry& entry, std::uint64_t bytes);

/// Adds one message to an entry of the thread's own; none: no memory for another peer.
inline void count(ThreadRecord& record, RowEntry* entry, CallClass c, std::uint64_t bytes) {
  if (entry == nullptr) return;
  if (c == CallClass::coll && record.timeline != nullptr) note_inner_message(record, *entry, bytes);
  entry->add(static_cast<std::size_t>(matrix_of(c)), bytes);
  record.sizes.add(c, bytes);
}

/// The entry of a (communicator, rank) that was sent to lately, or null.
inline RowEntry* cached_entry(const ThreadRecord& record, MPI_Comm comm, int dest) {
  const PeerCache::Line& line = record.peers.at(comm, dest);
  const bool is_known =
      line.comm == comm && line.rank == dest && line.stamp == communicator_stamps.of(comm);
  return is_known ? line.entry : nullptr;
}

/// count_message where nothing is cached.
const RowEntry* count_new_peer(CallClass c, MPI_Comm comm, int dest, std::uint64_t bytes);

/// Adds one message of `bytes` to what this rank sent to rank `dest` of `comm` (of its remote
/// group, for an inter-communicator). Negative ranks (MPI_PROC_NULL) are not counted. Returns where
/// it was counted; null: nowhere.
inline const RowEntry* count_message(CallClass c, MPI_Comm comm, int dest, std::uint64_t bytes) {
  ThreadRecord* const record = this_thread_record();
  if (record == nullptr || dest < 0) return nullptr;
  if (RowEntry* const entry = cached_entry(*record, comm, dest)) [[likely]] {
    count(*record, entry, c, bytes);
    return entry;
  }
  return count_new_peer(c, comm, dest, bytes);
}

/// The same where `group` is known to hold the destinations of `comm`: no call on the communicator.
void count_in_group(CallClass c, MPI_Comm comm, MPI_Group group, int dest, std::uint64_t bytes);

/// The same for a rank of the world; a negative one is a process outside the world.
void count_to_world_rank(CallClass c, int peer, std::uint64_t bytes);

/// Adds one message of `bytes` that this rank fetched from a rank of the world (as above).
void count_fetched(CallClass c, int peer, std::uint64_t bytes);

/// World rank of `rank` in `comm`; negative when it is no member of the world. Remembered.
int world_rank_of(MPI_Comm comm, int rank);
/// The same for a rank of a group.
int world_rank_in(MPI_Group group, int rank);
/// The same for several. Throws std::bad_alloc.
std::vector<int> world_ranks_in(MPI_Group group, const std::vector<int>& ranks);

/// size_of where nothing is remembered.
std::uint64_t look_up_size(ThreadRecord& record, MPI_Datatype datatype);

/// Size of one element of `datatype`, in bytes; remembered.
inline std::uint64_t size_of(MPI_Datatype datatype) {
  ThreadRecord* const record = this_thread_record();
  if (record == nullptr) return 0;
  const DatatypeCache& cache = record->datatypes;
  const DatatypeCache::Line& line = cache.at(datatype);
  if (cache.generation == datatype_generation.load(std::memory_order_relaxed) &&
      line.datatype == datatype && line.size != 0) [[likely]] {
    return line.size;
  }
  return look_up_size(*record, datatype);
}

/// Group of the program's world, for translation. Set by begin(), freed by end().
void set_world(MPI_Comm world);
void clear_world();

}  // namespace kith::record
