// The account: beginning, end, this rank's row; and point-to-point.
#include "record/record.hpp"

#include <algorithm>

#include "record/collectives/library.hpp"
#include "record/counting.hpp"
#include "record/pml/exact.hpp"
#include "record/requests.hpp"

namespace kith::record {
namespace {

Cells sorted_cells(const PeerTable& table) {
  Cells cells;
  cells.reserve(table.size());
  table.for_each([&](const RowEntry& entry) {
    RowCell cell{entry.peer, entry.messages.load(std::memory_order_relaxed), {}};
    for (const TrafficClass c : traffic_classes) {
      cell[c] = entry.bytes[static_cast<std::size_t>(c)].load(std::memory_order_relaxed);
    }
    cells.push_back(cell);
  });
  std::ranges::sort(cells, {}, &RowCell::peer);
  return cells;
}

}  // namespace

void send_prepared(MPI_Comm comm, int dest, std::int64_t count, MPI_Datatype datatype,
                   MPI_Request request) {
  if (this_thread_record() == nullptr) return;  // nothing is recorded
  if (dest < 0) {
    forget_messages(request);  // the handle may be that of an earlier request
    return;
  }
  const PreparedMessage message{world_rank_of(comm, dest), CallClass::p2p,
                                static_cast<std::uint64_t>(count) * size_of(datatype)};
  remember_messages(request, {&message, 1});
}

void started(MPI_Request request) {
  for (const PreparedMessage& message : messages_of(request)) {
    count_to_world_rank(message.call_class, message.peer, message.bytes);
  }
}

void request_freed(MPI_Request request) {
  forget_messages(request);
}

void forget_communicator(MPI_Comm comm) {
  communicator_stamps.raise(comm);
}

void forget_datatypes() {
  datatype_generation.fetch_add(1, std::memory_order_relaxed);
}

void begin(MPI_Comm world, Collectives collectives) {
  set_world(world);
  set_collective_model(collectives != Collectives::off);
  start_load();
  set_recording(true);
  if (collectives == Collectives::exact) begin_exact();
}

void end() {
  end_exact();
  set_recording(false);
  set_collective_model(false);
  clear_world();
}

Row row_so_far() {
  Row row;
  for (const ThreadRecord* record = first_thread_record(); record != nullptr;
       record = record->next) {
    add_to(row, {sorted_cells(record->sent), sorted_cells(record->fetched)});
  }
  return row;
}

SizeHistogram size_histogram_so_far() {
  SizeHistogram sum;
  for (const ThreadRecord* record = first_thread_record(); record != nullptr;
       record = record->next) {
    record->sizes.add_to(sum);
    for (const auto& bytes : record->foreign.bytes) {
      sum.foreign_bytes += bytes.load(std::memory_order_relaxed);
    }
    sum.foreign_messages += record->foreign.messages.load(std::memory_order_relaxed);
  }
  return sum;
}

}  // namespace kith::record
