#include "record/counting.hpp"

namespace kith::record {
namespace {

constinit MPI_Group world_group{};
constinit std::atomic<bool> have_world{false};

// Where the counter of a peer is not cached: translate, find the row's cell, remember it.
template <class Translate>
[[gnu::noinline]] RowEntry* look_up(ThreadRecord& record, PeerCache::Line& line, MPI_Comm comm,
                                    int dest, Translate translate) {
  const int peer = translate();
  RowEntry* const entry =
      peer < 0 ? &record.foreign
               : record.sent.find_or_add(static_cast<std::uint32_t>(peer), RowDirection::sent);
  if (entry != nullptr) line = {comm, dest, entry};
  return entry;
}

void count(ThreadRecord& record, RowEntry* entry, CallClass c, std::uint64_t bytes) {
  if (entry == nullptr) return;  // no memory for another peer
  entry->add(static_cast<std::size_t>(matrix_of(c)), bytes);
  record.tally.add(c, bytes);
}

template <class Translate>
void count_with(CallClass c, MPI_Comm comm, int dest, std::uint64_t bytes, Translate translate) {
  if (dest < 0) return;
  ThreadRecord* const record = this_thread_record();
  if (record == nullptr) [[unlikely]]
    return;
  const std::uint32_t generation = communicator_generation.load(std::memory_order_relaxed);
  if (record->peers.generation != generation) [[unlikely]] {
    record->peers.line.fill({});
    record->peers.generation = generation;
  }
  PeerCache::Line& line = record->peers.at(comm, dest);
  RowEntry* entry = line.entry;
  if (entry == nullptr || line.comm != comm || line.rank != dest) [[unlikely]] {
    entry = look_up(*record, line, comm, dest, translate);
  }
  count(*record, entry, c, bytes);
}

}  // namespace

void count_message(CallClass c, MPI_Comm comm, int dest, std::uint64_t bytes) {
  count_with(c, comm, dest, bytes, [&] { return world_rank_of(comm, dest); });
}

void count_in_group(CallClass c, MPI_Comm comm, MPI_Group group, int dest, std::uint64_t bytes) {
  count_with(c, comm, dest, bytes, [&] { return world_rank_in(group, dest); });
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
  RowEntry* const entry =
      peer < 0
          ? &record->foreign
          : record->fetched.find_or_add(static_cast<std::uint32_t>(peer), RowDirection::fetched);
  count(*record, entry, c, bytes);
}

int world_rank_of(MPI_Comm comm, int rank) {
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

int world_rank_in(MPI_Group group, int rank) {
  if (!have_world.load(std::memory_order_acquire)) return MPI_UNDEFINED;
  int peer = MPI_UNDEFINED;
  PMPI_Group_translate_ranks(group, 1, &rank, world_group, &peer);
  return peer;
}

std::uint64_t size_of(MPI_Datatype datatype) {
  ThreadRecord* const record = this_thread_record();
  if (record == nullptr) return 0;
  DatatypeCache& cache = record->datatypes;
  const std::uint32_t generation = datatype_generation.load(std::memory_order_relaxed);
  if (cache.generation != generation) [[unlikely]] {
    cache.line.fill({});
    cache.generation = generation;
  }
  DatatypeCache::Line& line = cache.line[handle_key(datatype) % DatatypeCache::lines];
  if (line.datatype != datatype || line.size == 0) [[unlikely]] {
    MPI_Count size = 0;
    if (PMPI_Type_size_x(datatype, &size) != MPI_SUCCESS || size < 0) return 0;
    line = {datatype, static_cast<std::uint64_t>(size)};
  }
  return line.size;
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
