// The account: beginning, end, this rank's row; and point-to-point.
#include "record/record.hpp"

#include <algorithm>

#include "record/collectives/model.hpp"
#include "record/counting.hpp"
#include "record/requests.hpp"

namespace kith::record {
namespace {

std::vector<RowCell> sorted_cells(const PeerTable& table) {
  std::vector<RowCell> cells;
  cells.reserve(table.size());
  table.for_each([&](std::uint32_t peer, std::uint64_t bytes, std::uint64_t messages) {
    cells.push_back({peer, bytes, messages});
  });
  std::ranges::sort(cells, {}, &RowCell::peer);
  return cells;
}

}  // namespace

void sent(MPI_Comm comm, int dest, std::int64_t count, MPI_Datatype datatype) {
  count_message(TrafficClass::p2p, comm, dest,
                static_cast<std::uint64_t>(count) * size_of(datatype));
}

void send_prepared(MPI_Comm comm, int dest, std::int64_t count, MPI_Datatype datatype,
                   MPI_Request request) {
  const int peer = dest < 0 ? dest : world_rank_of(comm, dest);
  if (peer < 0) {
    forget_send(request);  // the handle may be that of an earlier request
    return;
  }
  remember_send(request, {static_cast<std::uint32_t>(peer),
                          static_cast<std::uint64_t>(count) * size_of(datatype)});
}

void started(MPI_Request request) {
  if (const auto send = find_send(request)) {
    count_to_world_rank(TrafficClass::p2p, send->peer, send->bytes);
  }
}

void request_freed(MPI_Request request) {
  forget_send(request);
}

void forget_communicators() {
  communicator_generation.fetch_add(1, std::memory_order_relaxed);
}

void forget_datatypes() {
  datatype_generation.fetch_add(1, std::memory_order_relaxed);
}

void begin(MPI_Comm world, Collectives collectives) {
  set_world(world);
  set_collective_model(collectives == Collectives::model);
  set_recording(true);
}

void end() {
  set_recording(false);
  set_collective_model(false);
  clear_world();
}

Row row_so_far() {
  Row row;
  for (const ThreadRecord* record = first_thread_record(); record != nullptr;
       record = record->next) {
    Row thread_row;
    for (const TrafficClass c : traffic_classes) {
      thread_row[c] = sorted_cells(record->tables[static_cast<std::size_t>(c)]);
    }
    add_to(row, thread_row);
  }
  return row;
}

std::uint64_t foreign_bytes() {
  std::uint64_t bytes = 0;
  for (const ThreadRecord* record = first_thread_record(); record != nullptr;
       record = record->next) {
    bytes += record->foreign_bytes.load(std::memory_order_relaxed);
  }
  return bytes;
}

}  // namespace kith::record
