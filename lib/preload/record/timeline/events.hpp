// From calls of MPI to events of this thread's timeline. Each does nothing where none is kept.
#pragma once

#include <cstdint>
#include <optional>

#include "mpi/late_mpi.h"
#include "record/thread_record.hpp"
#include "record/timeline/communicators.hpp"
#include "record/timeline/request_book.hpp"
#include "record/timeline/thread_timeline.hpp"

namespace kith::record {

using timeline::Op;

/// This process's rank in the world.
extern std::atomic<std::int32_t> own_world_rank;

inline ThreadTimeline* this_timeline() {
  ThreadRecord* const record = this_thread_record();
  return record == nullptr ? nullptr : record->timeline;
}

/// Event::peer of a world rank; negative: a process outside the world.
inline std::int32_t peer_of(std::int32_t world_rank) {
  return world_rank < 0 ? timeline::no_peer
                        : world_rank - own_world_rank.load(std::memory_order_relaxed);
}

inline timeline::Event message_event(Op op, std::uint32_t comm, std::int32_t world_rank, int tag,
                                     std::uint64_t bytes) {
  timeline::Event event;
  event.op = op;
  event.comm = comm;
  event.peer = peer_of(world_rank);
  event.tag = tag;
  event.bytes = bytes;
  if (world_rank < 0) event.flags = timeline::outside;
  return event;
}

/// A send; `entry` is where it was counted.
inline void send_event(ThreadRecord& record, Op op, MPI_Comm comm, const RowEntry* entry, int tag,
                       std::uint64_t bytes) {
  ThreadTimeline* const thread = record.timeline;
  if (thread == nullptr || entry == nullptr) return;
  const std::int32_t peer =
      entry == &record.foreign ? -1 : static_cast<std::int32_t>(entry->peer);
  thread->append(message_event(op, number_of(*thread, comm), peer, tag, bytes), bytes);
}

inline bool is_wildcard(int source, int tag) {
  return source == MPI_ANY_SOURCE || tag == MPI_ANY_TAG;
}

/// Whether a call that was given MPI_STATUS_IGNORE must be given a status, as only that tells what
/// it received.
inline bool needs_status(int source, int tag) {
  return is_wildcard(source, tag) && call_context.record != nullptr &&
         call_context.record->timeline != nullptr;
}

/// A receive that is done, or a probe that found something; the status is read only where the call
/// named no source or no tag.
void received(Op op, MPI_Comm comm, int source, int tag, const MPI_Status* status);
/// MPI_Iprobe.
void probed(MPI_Comm comm, int source, int tag, int found, const MPI_Status* status);
/// MPI_Mprobe, MPI_Improbe; the message is received by `message_received`.
void message_probed(Op op, MPI_Comm comm, int source, int tag, int found, MPI_Message message,
                    const MPI_Status* status);
/// MPI_Mrecv: the handle before the call.
void message_received(MPI_Message message);
void message_receive_posted(MPI_Message message, MPI_Request request);
void receive_posted(Op op, MPI_Comm comm, int source, int tag, MPI_Request request);
void receive_prepared(MPI_Comm comm, int source, int tag, MPI_Request request);
/// After MPI_Cancel.
void request_cancelled(MPI_Request request);
/// A start of a persistent request.
void request_started(MPI_Request request);

/// The requests of a call that completes some of them; taken before the call, as handles go.
class Completion {
 public:
  /// Refers to the handles. Nothing is done where this thread keeps no timeline.
  Completion(int count, const MPI_Request requests[]) : count_(count) {
    ThreadTimeline* const thread = this_timeline();
    if (thread != nullptr && count > 0 && requests != nullptr) open(*thread, requests);
  }
  /// Statuses for a call that was given none, where one of the receives has to be told.
  MPI_Status* statuses(MPI_Status* given, bool several) {
    return thread_ == nullptr ? given : wanted_statuses(given, several);
  }
  /// All of them are complete.
  void all(Op op, const MPI_Status* statuses);
  /// The one at `index` is; negative: none.
  void one(Op op, int index, const MPI_Status* status);
  void some(Op op, int count, const int indices[], const MPI_Status* statuses);
  /// The call returned an error: those whose handles it took are complete. Statuses: of each request,
  /// or none.
  void failed(Op op, const MPI_Request requests[], const MPI_Status* statuses = MPI_STATUSES_IGNORE);

 private:
  void open(ThreadTimeline& thread, const MPI_Request requests[]);
  MPI_Status* wanted_statuses(MPI_Status* given, bool several);
  void take(int index, const MPI_Status* status);
  void append(Op op);

  ThreadTimeline* thread_ = nullptr;
  int count_;
  MPI_Request* handles_ = nullptr;  ///< copies
  std::uint64_t opened_ = 0;          ///< requests when the call began
};

struct CollectiveOn;

/// A collective that becomes an event. Its messages are worked out once for equal arguments.
class CollectiveCall {
 public:
  CollectiveCall(ThreadTimeline& thread, const CollectiveOn& on, const timeline::Event& event);
  /// Whether the messages of a call with these arguments are known. `digest`: of what the event does
  /// not hold.
  bool find_list(std::uint64_t digest);
  /// They are the entries of the thread's `numbers`.
  void take_list(std::uint64_t sent);
  void append();

 private:
  ThreadTimeline& thread_;
  const CollectiveOn& on_;
  timeline::Event event_;
  std::uint64_t sent_ = 0;
  ThreadTimeline::CollectiveLine* line_ = nullptr;
  std::uint64_t digest_ = 0;
};

/// Bytes to the target and back; nothing: no message that way. Event::flags has bits for that.
/// `request`: null where the operation has none.
void one_sided_event(Op op, MPI_Win window, std::int32_t world_rank,
                     std::optional<std::uint64_t> there, std::optional<std::uint64_t> back,
                     const MPI_Request* request);

/// A phase of the program begins.
void phase_event(int number);

}  // namespace kith::record
