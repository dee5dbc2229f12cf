// The account: beginning, end, this rank's row; and point-to-point.
#include "record/record.hpp"

#include <algorithm>
#include <new>

#include "record/collectives/library.hpp"
#include "record/counting.hpp"
#include "record/pml/exact.hpp"
#include "record/requests.hpp"

namespace kith::record {
namespace {

// Before the first event. No memory: none is kept.
void begin_timeline(MPI_Comm world, std::size_t bytes) {
  if (bytes == 0) return;
  try {
    int rank = 0;
    PMPI_Comm_rank(world, &rank);
    own_world_rank.store(rank, std::memory_order_relaxed);
    int level = MPI_THREAD_SINGLE;
    PMPI_Query_thread(&level);
    begin_communicators(world);
    begin_requests(level == MPI_THREAD_MULTIPLE);
    set_timeline(true, bytes);
  } catch (const std::bad_alloc&) {
  }
}

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

// With one side alone (the other is MPI_PROC_NULL) it is a send, or a receive.
void exchanged(MPI_Comm comm, int dest, int send_tag, std::int64_t count, MPI_Datatype datatype,
               int source, int receive_tag, const MPI_Status* status) {
  const bool receives = source != MPI_PROC_NULL;
  sent(receives ? Op::sendrecv_send : Op::send, comm, dest, send_tag, count, datatype);
  received(dest < 0 ? Op::recv : Op::sendrecv_recv, comm, source, receive_tag, status);
}

void exchange_begun(MPI_Comm comm, int dest, int send_tag, std::int64_t count,
                    MPI_Datatype datatype, int source, int receive_tag, MPI_Request request) {
  if (source == MPI_PROC_NULL) {
    sent(Op::isend, comm, dest, send_tag, count, datatype, request);
    return;
  }
  sent(Op::isendrecv_send, comm, dest, send_tag, count, datatype);
  receive_posted(dest < 0 ? Op::irecv : Op::isendrecv_recv, comm, source, receive_tag, request);
}

void send_prepared(MPI_Comm comm, int dest, int tag, std::int64_t count, MPI_Datatype datatype,
                   MPI_Request request) {
  if (this_thread_record() == nullptr) return;  // nothing is recorded
  ThreadTimeline* const thread = this_timeline();
  if (thread != nullptr) persistent_freed(request);
  if (dest < 0) {
    forget_messages(request);  // the handle may be that of an earlier request
    return;
  }
  const PreparedMessage message{world_rank_of(comm, dest), CallClass::p2p,
                                static_cast<std::uint64_t>(count) * size_of(datatype)};
  remember_messages(request, {&message, 1});
  if (thread == nullptr) return;
  persistent_made(request, {message_event(Op::start_send, number_of(*thread, comm), message.peer,
                                          tag, message.bytes),
                            message.bytes, comm});
}

void started(MPI_Request request) {
  for (const PreparedMessage& message : messages_of(request)) {
    count_to_world_rank(message.call_class, message.peer, message.bytes);
  }
  if (has_timeline()) request_started(request);
}

void request_freed(MPI_Request request) {
  forget_messages(request);
  if (!has_timeline()) return;
  Completion(1, &request).one(Op::request_free, 0, nullptr);
  persistent_freed(request);
}

void forget_communicator(MPI_Comm comm) {
  if (has_timeline()) receives_outlive(comm);
  communicator_stamps.raise(comm);
  communicator_vanished(comm);
}

void forget_datatypes() {
  datatype_generation.fetch_add(1, std::memory_order_relaxed);
}

void begin(MPI_Comm world, Collectives collectives, std::size_t timeline_bytes) {
  set_world(world);
  begin_timeline(world, timeline_bytes);
  set_collective_model(collectives != Collectives::off);
  start_load();
  set_recording(true);
  this_thread_record();  // its clocks begin here, not at the first call that sends something
  if (collectives == Collectives::exact) begin_exact();
}

void end() {
  end_exact();
  set_timeline(false, 0);
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

timeline::RankTimeline timeline_so_far() {
  timeline::RankTimeline plain;
  plain.communicators = numbered_communicators();
  const double tick = tick_length();
  for (const ThreadRecord* record = first_thread_record(); record != nullptr;
       record = record->next) {
    const ThreadTimeline* const thread = record->timeline;
    if (thread == nullptr) continue;
    if (plain.threads.size() <= thread->number()) plain.threads.resize(thread->number() + 1);
    plain.threads[thread->number()] = thread->plain(tick, load_began());
  }
  std::erase_if(plain.threads, [](const timeline::ThreadStream& one) { return one.events == 0; });
  return plain;
}

timeline::RankTimeline timeline_of_this_thread() {
  timeline::RankTimeline plain;
  const ThreadTimeline* const thread = this_timeline();
  if (thread == nullptr) throw std::bad_alloc();
  plain.communicators = numbered_communicators();
  plain.threads.push_back(thread->plain(tick_length(), load_began()));
  return plain;
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
