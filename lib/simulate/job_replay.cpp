#include "simulate/job_replay.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <unordered_map>
#include <utility>

#include "kith/error.hpp"
#include "timeline/convert/actions.hpp"
#include "timeline/convert/message_plan.hpp"
#include "timeline/unroll.hpp"

namespace kith::simulate {
namespace {

using timeline::PostedMessage;

/// Messages of one sender, one receiver and one tag: the k-th sent is the k-th received. Those of
/// which one end is known wait here for the other one.
struct Channel {
  std::vector<std::uint32_t> waiting;
  std::size_t next = 0;
  bool wait_for_receiver = false;

  bool has_other_end(bool is_send) const {
    return next < waiting.size() && wait_for_receiver != is_send;
  }
};

struct ChannelName {
  std::uint32_t sender;
  std::uint32_t receiver;
  std::uint32_t tag;
  bool operator==(const ChannelName&) const = default;
};
struct ChannelHash {
  std::size_t operator()(const ChannelName& name) const {
    std::uint64_t mixed = (std::uint64_t{name.sender} << 32U | name.receiver) * 0x9e3779b97f4a7c15U;
    mixed ^= mixed >> 29U;
    return (mixed ^ name.tag) * 0xbf58476d1ce4e5b9U >> 7U;
  }
};

/// Pairs the ends of messages, whichever is seen first.
class Pairing {
 public:
  explicit Pairing(std::vector<Message>& messages) : messages_(messages) {}

  std::uint32_t end(const ChannelName& name, bool is_send, std::uint64_t bytes,
                    std::uint32_t process, bool from_any) {
    Channel& channel = channels_[name];
    std::uint32_t number = 0;
    if (channel.has_other_end(is_send)) {
      number = channel.waiting[channel.next++];
      if (channel.next == channel.waiting.size()) channel = {};
    } else {
      number = new_message();
      channel.wait_for_receiver = is_send;
      channel.waiting.push_back(number);
    }
    Message& message = messages_[number];
    (is_send ? message.sender : message.receiver) = process;
    (is_send ? message.is_sent : message.is_received) = true;
    if (is_send) message.bytes = bytes;
    message.from_any = message.from_any || from_any;
    message.tag = name.tag;
    return number;
  }

 private:
  std::uint32_t new_message() {
    if (messages_.size() == UINT32_MAX) {
      throw bad_input("the timeline", "less than 2^32 messages", "more");
    }
    messages_.emplace_back();
    return static_cast<std::uint32_t>(messages_.size() - 1);
  }

  std::vector<Message>& messages_;
  std::unordered_map<ChannelName, Channel, ChannelHash> channels_;
};

/// Puts the actions of a rank into its processes.
class RankWriter : public timeline::ActionWriter {
 public:
  RankWriter(JobReplay& replay, Pairing& pairing, std::uint32_t rank, std::size_t threads,
             std::vector<timeline::LoopMark> marks)
      : replay_(replay),
        pairing_(pairing),
        rank_(rank),
        first_(replay.processes.size()),
        marks_(std::move(marks)) {
    for (std::size_t i = 0; i < std::max<std::size_t>(threads, 1); ++i) {
      replay_.processes.push_back({rank, {}, 0});
    }
    process_ = first_;
  }

  /// What begins later than that (seconds from MPI_Init) is left out.
  void end_at(double seconds) { end_ = seconds; }

  bool keeps_threads() const override { return true; }
  void enter_thread(std::size_t thread) override { process_ = first_ + thread; }
  void enter_step(const timeline::Step& step) override {
    pass_marks(step.number);
    has_ended_ = has_ended_ || step.begin > end_;
  }
  /// The marks up to `events` of the stream.
  void pass_marks(std::uint64_t events) {
    for (; next_mark_ < marks_.size() && marks_[next_mark_].events <= events; ++next_mark_) {
      actions().push_back(Action::of(Action::Kind::mark, marks_[next_mark_].number, false));
    }
  }
  void compute(double seconds) override {
    if (has_ended_) return;
    std::vector<Action>& all = actions();
    if (!all.empty() && all.back().kind == Action::Kind::compute) {
      all.back().seconds += seconds;
    } else {
      all.push_back(Action::compute(seconds));
    }
  }
  void sleep(double seconds) override {
    if (has_ended_) return;
    std::vector<Action>& all = actions();
    if (all.empty() || all.back().kind != Action::Kind::compute) all.push_back(Action::compute(0));
    all.back().set_asleep(all.back().asleep() + seconds);
  }
  /// Nothing follows.
  void compute_to_end(double seconds) {
    if (seconds <= 0 || has_ended_) return;
    compute(seconds);
    replay_.processes[process_].after_last = seconds;
  }
  void send(const PostedMessage& message, std::uint64_t bytes, bool blocking) override {
    post(Action::Kind::send, message, bytes, blocking);
  }
  void receive(const PostedMessage& message, std::uint64_t bytes, bool blocking) override {
    post(Action::Kind::receive, message, bytes, blocking);
  }
  void wait(std::span<const PostedMessage> messages, bool) override {
    if (has_ended_) return;
    for (const PostedMessage& message : messages) {
      const auto found = under_way_.find(message.label);
      if (found == under_way_.end()) continue;
      actions().push_back(
          Action::of(message.is_send ? Action::Kind::wait_send : Action::Kind::wait_receive,
                     found->second, true));
      under_way_.erase(found);
    }
  }
  bool collective(const timeline::Event&, std::uint32_t) override { return false; }

 private:
  std::vector<Action>& actions() { return replay_.processes[process_].actions; }

  void post(Action::Kind kind, const PostedMessage& message, std::uint64_t bytes, bool blocking) {
    if (has_ended_) return;
    const bool is_send = kind == Action::Kind::send;
    const ChannelName name = is_send ? ChannelName{rank_, message.peer, message.tag}
                                     : ChannelName{message.peer, rank_, message.tag};
    const std::uint32_t number =
        pairing_.end(name, is_send, bytes, static_cast<std::uint32_t>(process_), message.from_any);
    actions().push_back(Action::of(kind, number, blocking));
    if (!blocking) under_way_[message.label] = number;
  }

  JobReplay& replay_;
  Pairing& pairing_;
  std::uint32_t rank_;
  std::size_t first_;                                           ///< process of the rank
  std::size_t process_;                                         ///< that the next action is of
  std::vector<timeline::LoopMark> marks_;
  std::size_t next_mark_ = 0;
  double end_ = std::numeric_limits<double>::infinity();
  bool has_ended_ = false;
  std::unordered_map<std::uint64_t, std::uint32_t> under_way_;  ///< messages by label
};

/// Of the sum of all computations of a thread, were the passes independent of each other.
double spread_of(const timeline::ThreadStream& stream) {
  double sum = 0;
  double variance = 0;
  for (const timeline::PositionTimes& position : stream.times) {
    if (position.timed == 0) continue;
    const double n = static_cast<double>(position.timed);
    sum += position.before.sum;
    variance += std::max(
        0.0, position.before.sum_of_squares - position.before.sum * position.before.sum / n);
  }
  return sum > 0 ? std::sqrt(variance) / sum : 0;
}

void add_rank(JobReplay& replay, Pairing& pairing, timeline::MessagePlan& plan,
              timeline::RankTimeline whole, double end) {
  std::vector<timeline::LoopMark> marks = replay.cut.marks(whole);
  const timeline::RankTimeline timeline = replay.cut.cut(std::move(whole));
  RankWriter writer(replay, pairing, timeline.rank, timeline.threads.size(), std::move(marks));
  writer.end_at(end);
  replay.one_ended_messages +=
      timeline::write_actions(timeline, plan, timeline::CollectivesAs::messages, writer).messages;
  for (const timeline::ThreadStream& stream : timeline.threads) {
    replay.operations += stream.events;
    replay.computing_spread = std::max(replay.computing_spread, spread_of(stream));
  }
  writer.enter_thread(0);
  writer.pass_marks(UINT64_MAX);
  writer.compute_to_end(timeline::seconds_after_last(timeline));
  replay.recorded_seconds = std::max(replay.recorded_seconds, timeline.run_seconds);
}

/// Until when a killed job is known of all ranks, in seconds from MPI_Init.
double first_end(timeline::TimelineFiles& files) {
  double end = std::numeric_limits<double>::infinity();
  for (const std::uint32_t rank : files.ranks()) end = std::min(end, files.read(rank).run_seconds);
  return end;
}

/// Until when all ranks are known, in seconds from MPI_Init: the first omission of any.
double end_of_beginning(timeline::TimelineFiles& files) {
  double end = std::numeric_limits<double>::infinity();
  for (const std::uint32_t rank : files.ranks()) {
    const timeline::RankTimeline timeline = files.read(rank);
    for (const timeline::ThreadStream& thread : timeline.threads) {
      if (thread.omissions.empty()) continue;
      double last = 0;
      timeline::for_each_event(timeline::beginning_of(thread), [&](const timeline::Step& step) {
        last = step.begin + step.inside;
      });
      end = std::min(end, last);
    }
  }
  return end;
}

JobReplay read_cut(timeline::TimelineFiles& files, timeline::LoopCut cut) {
  timeline::MessagePlan plan(files, cut);
  JobReplay replay;
  replay.ranks = files.world_size();
  replay.cut = std::move(cut);
  replay.omitted_operations = plan.omitted_events();
  double end = std::numeric_limits<double>::infinity();
  double end_of_run = end;
  if (replay.omitted_operations > 0) end = end_of_beginning(files);
  // Where passes are left out, no time tells which of the rest came before the end.
  if (files.is_of_killed_job() && replay.cut.is_empty()) {
    end_of_run = first_end(files);
    end = std::min(end, end_of_run);
    replay.is_cut_short = true;
  }
  Pairing pairing(replay.messages);
  for (std::uint32_t rank = 0; rank < files.world_size(); ++rank) {
    if (files.has(rank)) {
      timeline::RankTimeline whole = timeline::replayed_part(files.read(rank));
      whole.run_seconds = std::min(whole.run_seconds, end_of_run);
      add_rank(replay, pairing, plan, std::move(whole), end);
    } else {
      replay.processes.push_back({rank, {}});
      ++replay.missing_ranks;
    }
  }
  replay.one_ended_messages +=
      static_cast<std::uint64_t>(std::ranges::count_if(replay.messages, [](const Message& message) {
        return !message.is_sent || !message.is_received;
      }));
  if (replay.recorded_seconds > 0) replay.covered = std::min(1.0, end / replay.recorded_seconds);
  return replay;
}

}  // namespace

ReplayTooLong::ReplayTooLong(std::uint64_t operations)
    : Error(bad_input("the timeline", "loops that all ranks go through side by side",
                      std::to_string(operations) + " operations without them")) {}

JobReplay read_job_replay(timeline::TimelineFiles& files, ReplaySize size) {
  timeline::LoopCut cut(files, size.most);
  const std::uint64_t operations = cut.operations();
  if (!cut.is_empty()) {
    JobReplay replay = read_cut(files, std::move(cut));
    // Loops of equal length need not be the same loop on all ranks.
    if (replay.one_ended_messages == 0) return replay;
  }
  if (operations > size.most_whole) {
    throw ReplayTooLong(operations);
  }
  return read_cut(files, {});
}

}  // namespace kith::simulate
