#include "record/counting.hpp"

namespace kith::record {
namespace {

constinit MPI_Group world_group{};
constinit std::atomic<bool> have_world{false};

// Where the counter of a peer is not cached: translate, find the row's cell, remember it.
[[gnu::noinline]] PeerEntry* look_up(ThreadRecord& record, PeerCache::Line& line, MPI_Comm comm,
                                     int dest, TrafficClass c, std::uint64_t bytes) {
  const int peer = world_rank_of(comm, dest);
  if (peer < 0) {
    record.foreign_bytes.store(record.foreign_bytes.load(std::memory_order_relaxed) + bytes,
                               std::memory_order_relaxed);
    return nullptr;
  }
  PeerEntry* const entry =
      record.tables[static_cast<std::size_t>(c)].find_or_add(static_cast<std::uint32_t>(peer));
  if (entry != nullptr) line = {comm, entry, dest, c};
  return entry;
}

}  // namespace

void count_message(TrafficClass c, MPI_Comm comm, int dest, std::uint64_t bytes) {
  if (dest < 0) return;
  ThreadRecord* const record = this_thread_record();
  if (record == nullptr) [[unlikely]]
    return;
  const std::uint32_t generation = communicator_generation.load(std::memory_order_relaxed);
  if (record->peers.generation != generation) [[unlikely]] {
    record->peers.line.fill({});
    record->peers.generation = generation;
  }
  PeerCache::Line& line = record->peers.at(comm, dest, c);
  PeerEntry* entry = line.entry;
  const bool known =
      entry != nullptr && line.comm == comm && line.rank == dest && line.traffic_class == c;
  if (!known) [[unlikely]] {
    entry = look_up(*record, line, comm, dest, c, bytes);
    if (entry == nullptr) return;
  }
  entry->add(bytes, 1);
}

void count_to_world_rank(TrafficClass c, std::uint32_t peer, std::uint64_t bytes) {
  ThreadRecord* const record = this_thread_record();
  if (record == nullptr) return;
  PeerEntry* const entry = record->tables[static_cast<std::size_t>(c)].find_or_add(peer);
  if (entry != nullptr) entry->add(bytes, 1);
}

int world_rank_of(MPI_Comm comm, int rank) {
  if (!have_world.load(std::memory_order_acquire)) return MPI_UNDEFINED;
  int is_inter = 0;
  PMPI_Comm_test_inter(comm, &is_inter);
  MPI_Group group = MPI_GROUP_NULL;
  const int code =
      is_inter != 0 ? PMPI_Comm_remote_group(comm, &group) : PMPI_Comm_group(comm, &group);
  if (code != MPI_SUCCESS) return MPI_UNDEFINED;
  int peer = MPI_UNDEFINED;
  PMPI_Group_translate_ranks(group, 1, &rank, world_group, &peer);
  PMPI_Group_free(&group);
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
