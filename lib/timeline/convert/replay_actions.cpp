#include "timeline/convert/actions.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "timeline/convert/message_plan.hpp"
#include "timeline/list_code.hpp"
#include "timeline/unroll.hpp"

namespace kith::timeline {
namespace {

/// What a receive from anywhere matched.
struct Match {
  std::int64_t peer = no_peer;
  std::int64_t tag = 0;
};

bool is_open(const Event& event) {
  return is_receive(event.op) && makes_request(event) &&
         (event.flags & (any_source | any_tag)) != 0;
}

template <class Visit>
void for_each_completed(const Program& program, const Event& event, Visit&& visit) {
  for_each_stretch<completed_request_fields>(
      ByteReader("a list", program.lists[event.list]), [&](const auto& stretch) {
        for (std::uint64_t i = 0; i < stretch.entries; ++i) {
          visit(CompletedRequest{stretch.at(i, 0), stretch.at(i, 1), stretch.at(i, 2),
                                 stretch.at(i, 3)});
        }
      });
}

bool has_cancelled(const Program& program) {
  bool found = false;
  for (const Event& event : program.events) {
    if (!is_completion(event.op)) continue;
    for_each_completed(program, event, [&](const CompletedRequest& completed) {
      found = found || is_cancelled(completed.peer, completed.tag);
    });
  }
  return found;
}

/// The events of a thread, each once it is known what it matched.
struct Thread {
  std::deque<Step> waiting;
  std::uint64_t seen_requests = 0;   ///< made by the steps that came in
  std::uint64_t acted_requests = 0;  ///< by those that went out
  std::unordered_map<std::uint64_t, Match> matches;  ///< by number of the request
  std::unordered_set<std::uint64_t> cancelled;       ///< requests that received nothing
  std::unordered_map<std::uint64_t, std::vector<std::uint64_t>> requests;  ///< labels of messages
  std::uint64_t sendrecv_send = 0;  ///< label of the one that is under way with its receive
  std::vector<std::uint64_t> blocked_by;  ///< beside other threads: what to wait for before it goes on

  /// The number of a completed request; none (false) where it lies before the first.
  static bool number_of(const CompletedRequest& completed, std::uint64_t made,
                        std::uint64_t& number) {
    const auto distance = static_cast<std::uint64_t>(completed.distance);
    if (completed.other_thread != 0) {
      number = distance;
      return true;
    }
    number = made - 1 - distance;
    return distance < made;
  }
};

// Inside a collective: what a rank must have received before it sends. The timeline has the
// messages that each rank sends in their order; which of them depend on which, the kind of
// collective tells.

enum class InnerOrder : std::uint8_t {
  none,    ///< all at once: linear algorithms, neighbourhoods
  steps,   ///< in step k each sends its k-th message, with what it received in the steps before
  passing  ///< what came is passed on: down a tree, up a tree, along a chain, segment by segment
};

struct InnerReceive {
  std::uint64_t step;  ///< how many messages the sender sent in the collective before
  std::uint32_t peer;
  std::uint64_t bytes;
  std::uint64_t label;
};

/// Open MPI 4.1 sends an alltoall's blocks to all others at once; in pairs only the large ones of
/// many ranks, and few larger messages (Bruck's algorithm) in steps.
InnerOrder alltoall_order(std::uint64_t ranks, std::size_t sends, std::uint64_t block) {
  constexpr std::uint64_t many = 64;
  constexpr std::uint64_t large = 1U << 18U;
  const bool one_each = sends + 1 >= ranks;
  return one_each && (ranks < many || block <= large) ? InnerOrder::none : InnerOrder::steps;
}

/// By the number of ranks alone.
InnerOrder alltoallv_order(std::uint64_t ranks) {
  const bool in_pairs = ranks < 4 || (ranks >= 64 && ranks < 128) || (ranks >= 256 && ranks < 1024);
  return in_pairs ? InnerOrder::steps : InnerOrder::none;
}

/// `ranks`: of the communicator; `sends`: messages that this rank sends, `block` bytes the first.
InnerOrder inner_order(const Event& event, std::uint64_t ranks, std::size_t sends,
                       std::uint64_t block) {
  switch (event.op) {
    case Op::bcast:
    case Op::reduce:
    case Op::gather:
    case Op::gatherv:
    case Op::scatter:
    case Op::scatterv:
    case Op::scan:
    case Op::exscan:
      return InnerOrder::passing;
    case Op::allgather:
    case Op::allgatherv:
    case Op::allreduce:
    case Op::barrier:
    case Op::reduce_scatter:
    case Op::reduce_scatter_block:
      return InnerOrder::steps;
    case Op::alltoall:
      return alltoall_order(ranks, sends, block);
    case Op::alltoallv:
      return alltoallv_order(ranks);
    default:
      return InnerOrder::none;
  }
}

/// Whether the `k`-th of `receives` comes before the `i`-th of `sends`.
bool is_needed(InnerOrder order, const InnerReceive& receive, std::size_t k, std::size_t i,
               std::size_t receives, std::size_t sends) {
  switch (order) {
    case InnerOrder::steps:
      return receive.step < i;
    case InnerOrder::passing:
      // Where each message is passed on: the i-th; where several are put together, or one is passed
      // on to several: in proportion.
      return k * sends < (i + 1) * receives;
    case InnerOrder::none:
      break;
  }
  return false;
}

class Replay {
 public:
  Replay(const RankTimeline& timeline, MessagePlan& plan, CollectivesAs collectives,
         ActionWriter& writer)
      : timeline_(timeline),
        plan_(plan),
        collectives_(collectives),
        writer_(writer),
        threads_(timeline.threads.size()) {}

  LeftOut run();

 private:
  using Kind = MessagePlan::Kind;
  using Labels = std::vector<std::uint64_t>;
  struct InnerSend {
    std::int64_t peer;
    std::uint64_t bytes;
  };

  void find_cancelled();
  void run_one_thread();
  void run_merged_threads();
  void come_in(std::size_t thread, const Step& step);
  bool is_ready(const Thread& thread, const Step& step, std::uint64_t number) const;
  void act(std::size_t thread, const Step& step);

  void point_to_point(Thread& thread, const Event& event);
  void complete(Thread& thread, const Program& program, const Event& event);
  void collective(Thread& thread, const Program& program, const Event& event);
  std::vector<InnerSend> inner_sends(const Program& program, const Event& event, bool complete);
  /// In the order in which they come, posted.
  std::vector<InnerReceive> inner_receives(std::uint64_t communicator, std::uint64_t ordinal,
                                           std::uint32_t tag);
  void send_loosely(Thread& thread, const Program& program, const Event& event);
  void one_sided(Thread& thread, const Event& event);
  void end_epoch(Thread& thread, const Event& event);
  void take_part_in_one_sided();

  std::uint64_t send(std::int64_t peer, std::uint64_t bytes, std::uint32_t tag, bool blocking);
  std::uint64_t receive(std::int64_t peer, std::uint64_t bytes, std::uint32_t tag, bool blocking,
                        bool from_any = false);
  PostedMessage posted(std::int64_t peer, std::uint32_t tag, bool is_send, bool blocking);
  void wait(const Labels& labels);
  /// The thread does not go on before these are done; others do.
  void block(Thread& thread, const Labels& labels);
  bool has_one_thread() const { return threads_.size() == 1; }

  bool takes_part(std::int64_t peer) const {
    return peer != no_peer && plan_.takes_part(static_cast<std::uint32_t>(timeline_.rank + peer));
  }
  std::uint64_t identity(const Event& event) const {
    return timeline_.communicators[event.comm].identity;
  }
  std::uint32_t tag_of(const Event& event, std::int64_t tag) {
    return plan_.tag(Kind::point_to_point, identity(event), static_cast<std::uint64_t>(tag));
  }

  const RankTimeline& timeline_;
  MessagePlan& plan_;
  CollectivesAs collectives_;
  ActionWriter& writer_;
  std::vector<Thread> threads_;
  std::unordered_map<std::uint64_t, PostedMessage> under_way_;  ///< by label
  std::uint64_t next_label_ = 1;
  std::unordered_map<std::uint64_t, std::uint64_t> ordinals_;  ///< of collectives, by communicator
  std::map<std::uint32_t, Labels> epochs_;  ///< what origins wait for, by window
  Labels of_others_;                        ///< one-sided operations in which this is the target
  double clock_ = 0;
  LeftOut left_out_;
};

PostedMessage Replay::posted(std::int64_t peer, std::uint32_t tag, bool is_send, bool blocking) {
  PostedMessage message;
  message.label = next_label_++;
  message.peer = static_cast<std::uint32_t>(timeline_.rank + peer);
  message.tag = tag;
  message.is_send = is_send;
  if (!blocking) under_way_[message.label] = message;
  return message;
}

std::uint64_t Replay::send(std::int64_t peer, std::uint64_t bytes, std::uint32_t tag,
                           bool blocking) {
  const PostedMessage message = posted(peer, tag, true, blocking);
  writer_.send(message, bytes, blocking);
  return message.label;
}

std::uint64_t Replay::receive(std::int64_t peer, std::uint64_t bytes, std::uint32_t tag,
                              bool blocking, bool from_any) {
  PostedMessage message = posted(peer, tag, false, blocking);
  message.from_any = from_any;
  writer_.receive(message, bytes, blocking);
  return message.label;
}

void Replay::wait(const Labels& labels) {
  std::vector<PostedMessage> messages;
  for (const std::uint64_t label : labels) {
    const auto found = under_way_.find(label);
    if (found == under_way_.end()) continue;
    messages.push_back(found->second);
    under_way_.erase(found);
  }
  if (!messages.empty()) writer_.wait(messages, under_way_.empty());
}

void Replay::block(Thread& thread, const Labels& labels) {
  if (has_one_thread()) {
    wait(labels);
  } else {
    thread.blocked_by.insert(thread.blocked_by.end(), labels.begin(), labels.end());
  }
}

void Replay::point_to_point(Thread& thread, const Event& event) {
  const bool request = makes_request(event);
  const std::uint64_t number = thread.acted_requests;
  if (request) ++thread.acted_requests;
  std::int64_t peer = event.peer;
  std::int64_t tag = event.tag;
  if (is_open(event)) {
    const auto match = thread.matches.find(number);
    peer = match == thread.matches.end() ? no_peer : match->second.peer;
    if (match != thread.matches.end()) {
      tag = match->second.tag;
      thread.matches.erase(match);
    }
  }
  const bool is_cancelled = request && thread.cancelled.erase(number) > 0;
  if (is_cancelled || !takes_part(peer)) {
    // Else a process outside the world, or one that is not known.
    if (!is_cancelled) ++left_out_.messages;
    if (event.op == Op::sendrecv_recv && thread.sendrecv_send != 0) {
      block(thread, {std::exchange(thread.sendrecv_send, 0)});
    } else if (event.op == Op::isendrecv_recv && thread.sendrecv_send != 0) {
      thread.requests[number].push_back(std::exchange(thread.sendrecv_send, 0));
    }
    return;
  }
  // A buffered send returns before its message is gone; both halves of a sendrecv go on together.
  const bool blocking = !request && event.op != Op::bsend && event.op != Op::sendrecv_send &&
                        event.op != Op::isendrecv_send;
  const bool at_once = blocking && has_one_thread();
  const std::uint64_t label = is_send(event.op)
                                  ? send(peer, event.bytes, tag_of(event, tag), at_once)
                                  : receive(peer, event.bytes, tag_of(event, tag), at_once,
                                            (event.flags & any_source) != 0);
  if (blocking) block(thread, {label});
  if (request) thread.requests[number].push_back(label);
  if (event.op == Op::sendrecv_send || event.op == Op::isendrecv_send) thread.sendrecv_send = label;
  if (event.op == Op::sendrecv_recv && thread.sendrecv_send != 0) {
    block(thread, {std::exchange(thread.sendrecv_send, 0)});
  }
  if (event.op == Op::isendrecv_recv && thread.sendrecv_send != 0) {
    thread.requests[number].push_back(std::exchange(thread.sendrecv_send, 0));
  }
}

void Replay::complete(Thread& thread, const Program& program, const Event& event) {
  Labels labels;
  for_each_completed(program, event, [&](const CompletedRequest& completed) {
    std::uint64_t number = 0;
    if (!Thread::number_of(completed, thread.acted_requests, number)) return;
    const auto other = static_cast<std::uint64_t>(completed.other_thread);
    if (other > threads_.size()) return;
    auto& requests = other == 0 ? thread.requests : threads_[other - 1].requests;
    const auto found = requests.find(number);
    if (found == requests.end()) return;
    labels.insert(labels.end(), found->second.begin(), found->second.end());
    requests.erase(found);
  });
  // A freed request goes on by itself.
  if (event.op != Op::request_free) block(thread, labels);
}

void Replay::collective(Thread& thread, const Program& program, const Event& event) {
  const std::uint64_t communicator = identity(event);
  const std::uint64_t ordinal = ordinals_[communicator]++;
  const bool request = makes_request(event);
  const std::uint64_t number = thread.acted_requests;
  if (request) ++thread.acted_requests;
  const bool complete = plan_.is_complete(communicator, ordinal);
  if (complete && collectives_ == CollectivesAs::native && !request && event.comm == 0 &&
      writer_.collective(event, timeline_.communicators.front().size)) {
    return;
  }
  const std::uint32_t tag = plan_.tag(Kind::collective, communicator, 0);
  const std::vector<InnerSend> sends = inner_sends(program, event, complete);
  std::vector<InnerReceive> receives;
  if (complete) receives = inner_receives(communicator, ordinal, tag);
  // What goes on beside the program, or beside other threads, is posted at once.
  const bool at_once = request || !has_one_thread();
  const std::uint64_t ranks = timeline_.communicators[event.comm].size;
  const std::uint64_t bytes = sends.empty() ? 0 : sends.front().bytes;
  InnerOrder order = at_once ? InnerOrder::none : inner_order(event, ranks, sends.size(), bytes);
  // Large broadcasts and reductions may go down and up again, which no rank can wait for.
  if (order == InnerOrder::passing && !plan_.is_one_way(communicator, ordinal)) {
    order = InnerOrder::steps;
  }
  Labels labels;
  std::size_t received = 0;
  for (std::size_t i = 0; i < sends.size(); ++i) {
    Labels needed;
    // The library sends one message of a step after the other.
    if (order != InnerOrder::none) needed.swap(labels);
    while (received < receives.size() &&
           is_needed(order, receives[received], received, i, receives.size(), sends.size())) {
      needed.push_back(receives[received++].label);
    }
    if (!needed.empty()) wait(needed);
    labels.push_back(send(sends[i].peer, sends[i].bytes, tag, false));
  }
  for (; received < receives.size(); ++received) labels.push_back(receives[received].label);
  if (request) {
    thread.requests[number] = std::move(labels);
  } else {
    block(thread, labels);
  }
}

std::vector<Replay::InnerSend> Replay::inner_sends(const Program& program, const Event& event,
                                                   bool complete) {
  std::vector<InnerSend> sends;
  for_each_stretch<inner_message_fields>(
      ByteReader("a list", program.lists[event.list]), [&](const auto& stretch) {
        for (std::uint64_t i = 0; i < stretch.entries; ++i) {
          const auto messages = static_cast<std::uint64_t>(stretch.at(i, 2));
          if (!complete || !takes_part(stretch.at(i, 0))) {
            left_out_.messages += messages;
            continue;
          }
          sends.insert(sends.end(), messages,
                       {stretch.at(i, 0), static_cast<std::uint64_t>(stretch.at(i, 1))});
        }
      });
  return sends;
}

std::vector<InnerReceive> Replay::inner_receives(std::uint64_t communicator, std::uint64_t ordinal,
                                                 std::uint32_t tag) {
  std::vector<InnerReceive> receives;
  for (const PlannedMessages& from : plan_.received(communicator, ordinal, timeline_.rank)) {
    for (std::uint64_t i = 0; i < from.messages; ++i) {
      receives.push_back({from.first + i, from.peer, from.bytes, 0});
    }
  }
  std::ranges::stable_sort(receives, {}, &InnerReceive::step);
  for (InnerReceive& one : receives) {
    one.label = receive(std::int64_t{one.peer} - timeline_.rank, one.bytes, tag, false);
  }
  return receives;
}

/// As one-sided operations: who gets a message takes no part in it.
void Replay::send_loosely(Thread& thread, const Program& program, const Event& event) {
  Labels labels;
  for (const InnerSend& one : inner_sends(program, event, true)) {
    const std::uint32_t tag = plan_.tag(Kind::one_sided, 0, one.bytes);
    labels.push_back(send(one.peer, one.bytes, tag, false));
  }
  block(thread, labels);
}

void Replay::one_sided(Thread& thread, const Event& event) {
  const bool request = makes_request(event);
  const std::uint64_t number = thread.acted_requests;
  if (request) ++thread.acted_requests;
  if (!takes_part(event.peer)) {
    ++left_out_.messages;
    return;
  }
  const OneSidedBytes bytes = one_sided_bytes(event);
  Labels labels;
  if (bytes.goes) {
    const std::uint32_t tag = plan_.tag(Kind::one_sided, 0, bytes.there);
    labels.push_back(send(event.peer, bytes.there, tag, false));
  }
  if (bytes.comes) {
    const std::uint32_t tag = plan_.tag(Kind::one_sided, 1, bytes.back);
    labels.push_back(receive(event.peer, bytes.back, tag, false));
  }
  Labels& epoch = epochs_[event.comm];
  epoch.insert(epoch.end(), labels.begin(), labels.end());
  if (request) thread.requests[number] = std::move(labels);
}

void Replay::end_epoch(Thread& thread, const Event& event) {
  const auto epoch = epochs_.find(event.comm);
  if (epoch == epochs_.end()) return;
  const Labels labels = std::move(epoch->second);
  epochs_.erase(epoch);
  block(thread, labels);
}

/// The target of a one-sided operation takes no part in it: what comes is received from the start,
/// what others fetch is on offer.
void Replay::take_part_in_one_sided() {
  const OneSidedPart& part = plan_.one_sided(timeline_.rank);
  const auto from_here = [&](std::uint32_t peer) { return std::int64_t{peer} - timeline_.rank; };
  for (const PlannedMessages& planned : part.receives) {
    const std::uint32_t tag = plan_.tag(Kind::one_sided, 0, planned.bytes);
    for (std::uint64_t i = 0; i < planned.messages; ++i) {
      of_others_.push_back(receive(from_here(planned.peer), planned.bytes, tag, false));
    }
  }
  for (const PlannedMessages& planned : part.sends) {
    const std::uint32_t tag = plan_.tag(Kind::one_sided, 1, planned.bytes);
    for (std::uint64_t i = 0; i < planned.messages; ++i) {
      of_others_.push_back(send(from_here(planned.peer), planned.bytes, tag, false));
    }
  }
}

void Replay::act(std::size_t index, const Step& step) {
  Thread& thread = threads_[index];
  const Event& event = *step.event;
  const Program& program = timeline_.threads[index].program;
  writer_.enter_thread(index);
  wait(std::exchange(thread.blocked_by, {}));
  writer_.enter_step(step);
  const bool own_pace = has_one_thread() || writer_.keeps_threads();
  const double computed = own_pace ? step.before : step.begin - step.asleep - clock_;
  if (computed > 0) writer_.compute(computed);
  if (own_pace && step.asleep > 0) writer_.sleep(step.asleep);
  clock_ = std::max(clock_, step.begin + step.inside);
  if (is_send(event.op) || is_receive(event.op)) {
    point_to_point(thread, event);
  } else if (is_completion(event.op)) {
    complete(thread, program, event);
  } else if (is_collective(event.op)) {
    collective(thread, program, event);
  } else if (has_loose_messages(event.op)) {
    send_loosely(thread, program, event);
  } else if (is_one_sided(event.op)) {
    one_sided(thread, event);
  } else if (event.op >= Op::fence && event.op <= Op::sync) {
    end_epoch(thread, event);
  }
}

void Replay::come_in(std::size_t index, const Step& step) {
  Thread& thread = threads_[index];
  const Event& event = *step.event;
  thread.waiting.push_back(step);
  if (makes_request(event)) ++thread.seen_requests;
  if (!is_completion(event.op)) return;
  for_each_completed(timeline_.threads[index].program, event, [&](const CompletedRequest& done) {
    std::uint64_t number = 0;
    if (done.peer == no_peer || !Thread::number_of(done, thread.seen_requests, number)) return;
    const auto other = static_cast<std::uint64_t>(done.other_thread);
    if (other > threads_.size()) return;
    (other == 0 ? thread : threads_[other - 1]).matches[number] = {done.peer, done.tag};
  });
}

/// Known before they are posted: what they named may come later, to another receive.
void Replay::find_cancelled() {
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    const ThreadStream& stream = timeline_.threads[i];
    if (!has_cancelled(stream.program)) continue;
    std::uint64_t made = 0;
    for_each_event(stream, [&](const Step& step) {
      if (makes_request(*step.event)) ++made;
      if (!is_completion(step.event->op)) return;
      for_each_completed(stream.program, *step.event, [&](const CompletedRequest& done) {
        std::uint64_t number = 0;
        const auto other = static_cast<std::uint64_t>(done.other_thread);
        if (!is_cancelled(done.peer, done.tag) || other > threads_.size()) return;
        if (!Thread::number_of(done, made, number)) return;
        threads_[other == 0 ? i : other - 1].cancelled.insert(number);
      });
    });
  }
}

void Replay::run_one_thread() {
  Thread& thread = threads_.front();
  const auto go_on = [&](bool to_the_end) {
    while (!thread.waiting.empty()) {
      const Step step = thread.waiting.front();
      const std::uint64_t number = thread.acted_requests;
      const bool is_known = thread.matches.contains(number) || thread.cancelled.contains(number);
      if (!to_the_end && is_open(*step.event) && !is_known) return;
      thread.waiting.pop_front();
      act(0, step);
    }
  };
  for_each_event(timeline_.threads.front(), [&](const Step& step) {
    come_in(0, step);
    go_on(false);
  });
  go_on(true);
}

/// The threads' operations in the order of their times.
void Replay::run_merged_threads() {
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    for_each_event(timeline_.threads[i], [&](const Step& step) { come_in(i, step); });
  }
  while (true) {
    std::size_t earliest = threads_.size();
    for (std::size_t i = 0; i < threads_.size(); ++i) {
      if (threads_[i].waiting.empty()) continue;
      if (earliest == threads_.size() ||
          threads_[i].waiting.front().begin < threads_[earliest].waiting.front().begin) {
        earliest = i;
      }
    }
    if (earliest == threads_.size()) return;
    const Step step = threads_[earliest].waiting.front();
    threads_[earliest].waiting.pop_front();
    act(earliest, step);
  }
}

LeftOut Replay::run() {
  find_cancelled();
  take_part_in_one_sided();
  if (threads_.size() == 1) {
    run_one_thread();
  } else {
    run_merged_threads();
  }
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    writer_.enter_thread(i);
    wait(threads_[i].blocked_by);
  }
  for (auto& [window, labels] : epochs_) wait(labels);
  wait(of_others_);
  return left_out_;
}

}  // namespace

LeftOut write_actions(const RankTimeline& timeline, MessagePlan& plan, CollectivesAs collectives,
                      ActionWriter& writer) {
  return Replay(timeline, plan, collectives, writer).run();
}

double seconds_after_last(const RankTimeline& timeline) {
  if (timeline.threads.empty()) return 0;
  return std::max(0.0, timeline.run_seconds - timeline.threads[last_thread(timeline)].end);
}

std::size_t last_thread(const RankTimeline& timeline) {
  const auto last = std::ranges::max_element(timeline.threads, {}, &ThreadStream::end);
  return static_cast<std::size_t>(last - timeline.threads.begin());
}

}  // namespace kith::timeline
