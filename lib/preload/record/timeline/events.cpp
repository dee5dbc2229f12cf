#include "record/timeline/events.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <mutex>

#include "record/collectives/calls.hpp"
#include "record/counting.hpp"

namespace kith::record {

constinit std::atomic<std::int32_t> own_world_rank{0};

namespace {

using timeline::Event;

/// Source and tag as the call named them or, where it did not, as the status tells.
struct Match {
  int source;
  int tag;
  std::uint8_t flags = 0;
};

Match match_of(int source, int tag, const MPI_Status* status) {
  Match match{source, tag};
  if (source == MPI_ANY_SOURCE) match.flags |= timeline::any_source;
  if (tag == MPI_ANY_TAG) match.flags |= timeline::any_tag;
  if (match.flags == 0) return match;
  if (status == MPI_STATUS_IGNORE) {
    if (source == MPI_ANY_SOURCE) match.source = MPI_PROC_NULL;
    if (tag == MPI_ANY_TAG) match.tag = 0;
    return match;
  }
  match.source = status->MPI_SOURCE;
  match.tag = status->MPI_TAG;
  return match;
}

Event receive_event(ThreadTimeline& thread, Op op, MPI_Comm comm, const Match& match) {
  const std::int32_t peer = match.source < 0 ? -1 : world_rank_of(comm, match.source);
  Event event = message_event(op, number_of(thread, comm), peer, match.tag, 0);
  event.flags = static_cast<std::uint8_t>(match.flags | (peer < 0 ? timeline::outside : 0));
  return event;
}

/// A receive that is posted: what it matches is known when it is complete.
Event posted_event(ThreadTimeline& thread, Op op, MPI_Comm comm, int source, int tag) {
  Event event;
  event.op = op;
  event.comm = number_of(thread, comm);
  if (source == MPI_ANY_SOURCE) {
    event.flags |= timeline::any_source;
  } else {
    const std::int32_t peer = world_rank_of(comm, source);
    event.peer = peer_of(peer);
    if (peer < 0) event.flags |= timeline::outside;
  }
  if (tag == MPI_ANY_TAG) {
    event.flags |= timeline::any_tag;
  } else {
    event.tag = tag;
  }
  return event;
}

bool came_to_nothing(const MPI_Status& status) {
  int is_cancelled = 0;
  PMPI_Test_cancelled(&status, &is_cancelled);
  return is_cancelled != 0;
}

/// World rank of what a receive from anywhere matched; negative: not known, or outside the world.
int sender_of(const OpenRequest& open, int source) {
  if (open.comm != MPI_COMM_NULL) return world_rank_of(open.comm, source);
  const bool is_known = open.members != nullptr && source >= 0 &&
                        static_cast<std::size_t>(source) < open.members->size();
  return is_known ? (*open.members)[static_cast<std::size_t>(source)] : -1;
}

/// Messages that were probed for and are not received yet.
struct ProbedMessage {
  MPI_Message message;
  Event event;
};
constexpr std::size_t most_probed = 64;
std::mutex probed_mutex;
constinit std::array<ProbedMessage, most_probed> probed_messages{};
constinit std::size_t probed_count = 0;

bool take_probed(MPI_Message message, Event& event) {
  const std::scoped_lock lock(probed_mutex);
  for (std::size_t i = 0; i < probed_count; ++i) {
    if (probed_messages[i].message != message) continue;
    event = probed_messages[i].event;
    probed_messages[i] = probed_messages[--probed_count];
    return true;
  }
  return false;
}

}  // namespace

void received(Op op, MPI_Comm comm, int source, int tag, const MPI_Status* status) {
  ThreadTimeline* const thread = this_timeline();
  if (thread == nullptr || source == MPI_PROC_NULL) return;
  thread->append(receive_event(*thread, op, comm, match_of(source, tag, status)), 0);
}

void probed(MPI_Comm comm, int source, int tag, int found, const MPI_Status* status) {
  if (found != 0) received(Op::iprobe, comm, source, tag, status);
}

void message_probed(Op op, MPI_Comm comm, int source, int tag, int found, MPI_Message message,
                    const MPI_Status* status) {
  ThreadTimeline* const thread = this_timeline();
  if (thread == nullptr || found == 0 || source == MPI_PROC_NULL) return;
  const Event event = receive_event(*thread, op, comm, match_of(source, tag, status));
  thread->append(event, 0);
  const std::scoped_lock lock(probed_mutex);
  if (probed_count < most_probed) probed_messages[probed_count++] = {message, event};
}

void message_received(MPI_Message message) {
  ThreadTimeline* const thread = this_timeline();
  Event event;
  if (thread == nullptr || !take_probed(message, event)) return;
  event.op = Op::mrecv;
  event.flags &= timeline::outside;  // its source and tag are known by now
  thread->append(event, 0);
}

void message_receive_posted(MPI_Message message, MPI_Request request) {
  ThreadTimeline* const thread = this_timeline();
  Event event;
  if (thread == nullptr || !take_probed(message, event)) return;
  event.op = Op::imrecv;
  event.flags &= timeline::outside;
  thread->append_untimed(event);
  request_opened(*thread, request);
}

void receive_posted(Op op, MPI_Comm comm, int source, int tag, MPI_Request request) {
  ThreadTimeline* const thread = this_timeline();
  if (thread == nullptr || source == MPI_PROC_NULL) return;
  thread->append_untimed(posted_event(*thread, op, comm, source, tag));
  if (is_wildcard(source, tag)) {
    receive_opened(*thread, request, comm);
  } else {
    request_opened(*thread, request);
  }
}

void receive_prepared(MPI_Comm comm, int source, int tag, MPI_Request request) {
  ThreadTimeline* const thread = this_timeline();
  if (thread == nullptr) return;
  persistent_freed(request);
  if (source == MPI_PROC_NULL) return;
  persistent_made(request, {posted_event(*thread, Op::start_recv, comm, source, tag), 0, comm});
}

void request_started(MPI_Request request) {
  ThreadTimeline* const thread = this_timeline();
  Persistent persistent;
  if (thread == nullptr || !find_persistent(request, persistent)) return;
  thread->append(persistent.event, persistent.sent);
  if ((persistent.event.flags & (timeline::any_source | timeline::any_tag)) != 0) {
    receive_opened(*thread, request, persistent.comm, persistent.members);
  } else {
    request_opened(*thread, request);
  }
}

void request_cancelled(MPI_Request request) {
  ThreadTimeline* const thread = this_timeline();
  if (thread != nullptr) cancel_request(*thread, request);
}

// --- completion ---------------------------------------------------------------------------------

void Completion::open(ThreadTimeline& thread, const MPI_Request requests[]) {
  handles_ = thread.handles.of_size(static_cast<std::size_t>(count_));
  if (handles_ == nullptr) return;
  std::copy_n(requests, count_, handles_);
  opened_ = opened_requests();
  thread.numbers.clear();
  thread_ = &thread;
}

MPI_Status* Completion::wanted_statuses(MPI_Status* given, bool several) {
  const bool ignored = several ? given == MPI_STATUSES_IGNORE : given == MPI_STATUS_IGNORE;
  if (!ignored || !some_need_status()) return given;
  MPI_Status* const own = thread_->statuses.of_size(several ? static_cast<std::size_t>(count_) : 1);
  return own == nullptr ? given : own;
}

void Completion::take(int index, const MPI_Status* status) {
  OpenRequest open;
  if (index < 0 || index >= count_) return;
  if (!close_request(*thread_, handles_[index], opened_, open)) return;
  timeline::CompletedRequest done;
  if (open.thread == thread_->number()) {
    done.distance = static_cast<std::int64_t>(thread_->requests() - 1 - open.number);
  } else {
    done.distance = static_cast<std::int64_t>(open.number);
    done.other_thread = std::int64_t{open.thread} + 1;
  }
  if (open.is_cancelled && status != nullptr && came_to_nothing(*status)) {
    done.tag = timeline::cancelled_tag;
  } else if (open.from_anywhere && status != nullptr) {
    done.peer = peer_of(sender_of(open, status->MPI_SOURCE));
    done.tag = status->MPI_TAG;
  }
  for (const std::int64_t number : {done.distance, done.other_thread, done.peer, done.tag}) {
    thread_->numbers.push(number);
  }
}

void Completion::append(Op op) {
  if (thread_->numbers.size() == 0) return;
  Event event;
  event.op = op;
  event.list = thread_->list_of(thread_->numbers, timeline::completed_request_fields);
  if (op == Op::request_free) {
    thread_->append_untimed(event);
  } else {
    thread_->append(event, 0);
  }
}

void Completion::all(Op op, const MPI_Status* statuses) {
  if (thread_ == nullptr) return;
  const bool told = statuses != MPI_STATUSES_IGNORE && statuses != MPI_STATUS_IGNORE;
  for (int i = 0; i < count_; ++i) take(i, told ? statuses + i : nullptr);
  append(op);
}

void Completion::one(Op op, int index, const MPI_Status* status) {
  if (thread_ == nullptr) return;
  take(index, status == MPI_STATUS_IGNORE ? nullptr : status);
  append(op);
}

void Completion::some(Op op, int count, const int indices[], const MPI_Status* statuses) {
  if (thread_ == nullptr || count == MPI_UNDEFINED) return;
  for (int i = 0; i < count; ++i) {
    take(indices[i], statuses == MPI_STATUSES_IGNORE ? nullptr : statuses + i);
  }
  append(op);
}

void Completion::failed(Op op, const MPI_Request requests[], const MPI_Status* statuses) {
  if (thread_ == nullptr) return;
  for (int i = 0; i < count_; ++i) {
    if (requests[i] != handles_[i]) take(i, statuses == MPI_STATUSES_IGNORE ? nullptr : statuses + i);
  }
  append(op);
}

// --- collectives --------------------------------------------------------------------------------

CollectiveCall::CollectiveCall(ThreadTimeline& thread, const CollectiveOn& on, const Event& event)
    : thread_(thread), on_(on), event_(event) {
  if (on.timing == Timing::nonblocking) event_.flags |= timeline::nonblocking;
  if (on.timing == Timing::persistent) event_.flags |= timeline::persistent;
}

bool CollectiveCall::find_list(std::uint64_t digest) {
  line_ = &thread_.collective_line(hash_of(event_, digest) >> 40U);
  digest_ = digest;
  if (!line_->known || line_->digest != digest || !(line_->event == event_)) return false;
  event_.list = line_->list;
  sent_ = line_->sent;
  return true;
}

void CollectiveCall::take_list(std::uint64_t sent) {
  const Event key = event_;
  const bool lasting = on_.timing == Timing::persistent;
  event_.list = thread_.list_of(thread_.numbers, timeline::inner_message_fields, lasting);
  sent_ = sent;
  const bool is_left_out = event_.list == 0 && thread_.numbers.size() > 0;
  if (line_ != nullptr) *line_ = {key, digest_, sent, event_.list, !is_left_out};
}

void CollectiveCall::append() {
  if (on_.timing == Timing::persistent) {
    persistent_made(on_.request, {event_, sent_, MPI_COMM_NULL});
    return;
  }
  thread_.append(event_, sent_);
  if (on_.timing == Timing::nonblocking) request_opened(thread_, on_.request);
}

// --- one-sided ----------------------------------------------------------------------------------

void one_sided_event(Op op, MPI_Win window, std::int32_t world_rank,
                     std::optional<std::uint64_t> there, std::optional<std::uint64_t> back,
                     const MPI_Request* request) {
  ThreadTimeline* const thread = this_timeline();
  if (thread == nullptr) return;
  Event event = message_event(op, number_of(window), world_rank, 0, there.value_or(0));
  event.element = static_cast<std::uint32_t>(std::min<std::uint64_t>(back.value_or(0), UINT32_MAX));
  if (op == Op::get) event.bytes = back.value_or(0);
  if (!there) event.flags |= timeline::nothing_there;
  if (request != nullptr) event.flags |= timeline::nonblocking;
  thread->append(event, there.value_or(0) + back.value_or(0));
  if (request != nullptr) request_opened(*thread, *request);
}

void phase_event(int number) {
  ThreadTimeline* const thread = this_timeline();
  if (thread == nullptr) return;
  Event event;
  event.op = Op::phase;
  event.tag = number;
  thread->append_phase(event);
}

}  // namespace kith::record
