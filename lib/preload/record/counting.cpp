#include "record/counting.hpp"

#include "record/timeline/events.hpp"

namespace kith::record {
namespace {

constinit MPI_Group world_group{};
constinit std::atomic<bool> have_world{false};

int look_up_world_rank(MPI_Comm comm, int rank) {
  int is_inter = 0;
  PMPI_Comm_test_inter(comm, &is_inter);
  MPI_Group group = MPI_GROUP_NULL;
  const int code =
      is_inter != 0 ? PMPI_Comm_remote_group(comm, &group) : PMPI_Comm_group(comm, &group);
  if (code != MPI_SUCCESS) return MPI_UNDEFINED;
  const int peer = world_rank_in(group, rank);
  PMPI_Group_free(&group);
  return peer;
}

// Where the counter of a peer is not cached: translate, find the row's cell, remember it.
template <class Translate>
[[gnu::noinline]] RowEntry* look_up(ThreadRecord& record, PeerCache::Line& line, MPI_Comm comm,
                                    int dest, Translate translate) {
  const std::uint32_t stamp = communicator_stamps.of(comm);
  const int peer = translate();
  RowEntry* const entry =
      peer < 0 ? &record.foreign
               : record.sent.find_or_add(static_cast<std::uint32_t>(peer), RowDirection::sent);
  if (entry != nullptr) line = {comm, dest, stamp, entry};
  return entry;
}

template <class Translate>
const RowEntry* count_with(CallClass c, MPI_Comm comm, int dest, std::uint64_t bytes,
                           Translate translate) {
  ThreadRecord* const record = this_thread_record();
  if (record == nullptr || dest < 0) return nullptr;
  RowEntry* const entry =
      look_up(*record, record->peers.at(comm, dest), comm, dest, translate);
  count(*record, entry, c, bytes);
  return entry;
}

}  // namespace

void note_inner_message(ThreadRecord& record, const RowEntry& entry, std::uint64_t bytes) {
  const CallKind kind = call_context.kind;
  const bool sets_up =
      kind == CallKind::setup || kind == CallKind::window || kind == CallKind::file ||
      kind == CallKind::rma;
  if (call_context.depth == 0 || !sets_up) return;
  const bool outside = &entry == &record.foreign;
  record.timeline->inner_message(peer_of(outside ? -1 : static_cast<std::int32_t>(entry.peer)),
                                 bytes);
}

const RowEntry* count_new_peer(CallClass c, MPI_Comm comm, int dest, std::uint64_t bytes) {
  return count_with(c, comm, dest, bytes, [&] { return world_rank_of(comm, dest); });
}

void count_in_group(CallClass c, MPI_Comm comm, MPI_Group group, int dest, std::uint64_t bytes) {
  ThreadRecord* const record = this_thread_record();
  if (record == nullptr || dest < 0) return;
  if (RowEntry* const entry = cached_entry(*record, comm, dest)) {
    count(*record, entry, c, bytes);
  } else {
    count_with(c, comm, dest, bytes, [&] { return world_rank_in(group, dest); });
  }
}

void count_to_world_rank(CallClass c, int peer, std::uint64_t bytes) {
  ThreadRecord* const record = this_thread_record();
  if (record == nullptr) return;
  RowEntry* const entry =
      peer < 0 ? &record->foreign
               : record->sent.find_or_add(static_cast<std::uint32_t>(peer), RowDirection::sent);
  count(*record, entry, c, bytes);
}

void count_fetched(CallClass c, int peer, std::uint64_t bytes) {
  ThreadRecord* const record = this_thread_record();
  if (record == nullptr) return;
  RowEntry* const entry = peer < 0 ? &record->foreign
                                   : record->fetched.find_or_add(static_cast<std::uint32_t>(peer),
                                                                 RowDirection::fetched);
  count(*record, entry, c, bytes);
}

int world_rank_of(MPI_Comm comm, int rank) {
  ThreadRecord* const record = this_thread_record();
  if (record == nullptr) return look_up_world_rank(comm, rank);
  RankCache::Line& line = record->ranks.at(comm, rank);
  const std::uint32_t stamp = communicator_stamps.of(comm);
  if (!line.known || line.comm != comm || line.rank != rank || line.stamp != stamp) {
    line = {comm, rank, look_up_world_rank(comm, rank), stamp, true};
  }
  return line.peer;
}

int world_rank_in(MPI_Group group, int rank) {
  if (!have_world.load(std::memory_order_acquire)) return MPI_UNDEFINED;
  // An error handler may have made a success of a call that named no rank: that is no error of
  // ours.
  int size = 0;
  if (PMPI_Group_size(group, &size) != MPI_SUCCESS || rank < 0 || rank >= size) {
    return MPI_UNDEFINED;
  }
  int peer = MPI_UNDEFINED;
  PMPI_Group_translate_ranks(group, 1, &rank, world_group, &peer);
  return peer;
}

std::vector<int> world_ranks_in(MPI_Group group, const std::vector<int>& ranks) {
  std::vector<int> peers(ranks.size(), MPI_UNDEFINED);
  if (!have_world.load(std::memory_order_acquire) || ranks.empty()) return peers;
  PMPI_Group_translate_ranks(group, static_cast<int>(ranks.size()), ranks.data(), world_group,
                             peers.data());
  return peers;
}

std::uint64_t look_up_size(ThreadRecord& record, MPI_Datatype datatype) {
  DatatypeCache& cache = record.datatypes;
  const std::uint32_t generation = datatype_generation.load(std::memory_order_relaxed);
  if (cache.generation != generation) {
    cache.line.fill({});
    cache.generation = generation;
  }
  MPI_Count size = 0;
  if (PMPI_Type_size_x(datatype, &size) != MPI_SUCCESS || size < 0) return 0;
  cache.at(datatype) = {datatype, static_cast<std::uint64_t>(size)};
  return static_cast<std::uint64_t>(size);
}

void set_world(MPI_Comm world) {
  PMPI_Comm_group(world, &world_group);
  have_world.store(true, std::memory_order_release);
}

void clear_world() {
  if (!have_world.exchange(false)) return;
  PMPI_Group_free(&world_group);
}

}  // namespace kith::record
