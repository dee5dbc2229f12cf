#include "timeline/summary.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "kith/error.hpp"
#include "timeline/list_code.hpp"
#include "timeline/position_time.hpp"
#include "timeline/request_trail.hpp"
#include "timeline/unroll.hpp"

namespace kith::timeline {
namespace {

/// Rules with an event of a phase in them.
std::vector<bool> rules_with_phases(const Program& program) {
  std::vector<bool> found(program.rules.size());
  for (std::size_t rule = found.size(); rule-- > 0;) {
    for (const Item& item : program.rules[rule].items) {
      if (item.is_rule ? found[item.index] : program.events[item.index].op == Op::phase) {
        found[rule] = true;
      }
    }
  }
  return found;
}

struct WalkSums {
  /// Seconds by the rank that was awaited.
  std::map<std::uint32_t, double> receives;
  std::map<std::uint32_t, double> sends;
  std::map<std::int32_t, ActivitySeconds> phases;
  bool is_cut = false;
};

/// Goes through a stream to see what completions complete and in which phase things happen: of a
/// loop the first time and, for all others, the second. Loops with phases are unrolled.
class StreamWalk {
 public:
  StreamWalk(std::uint32_t rank, const ThreadStream& stream, WalkSums& sums)
      : rank_(rank),
        stream_(stream),
        sums_(sums),
        clock_(stream.times),
        trail_(stream.program),
        with_phases_(rules_with_phases(stream.program)) {}

  void walk();

 private:
  /// Events and entries of lists that are looked at.
  static constexpr std::uint64_t most_steps = std::uint64_t{1} << 24U;

  bool go_through(std::uint32_t rule, std::uint64_t passes);
  bool go_through(const Item& item, std::uint64_t passes) {
    return item.is_rule ? repeat(item, passes) : visit(item, passes);
  }
  bool repeat(const Item& item, std::uint64_t passes);
  bool visit(const Item& item, std::uint64_t passes);
  void end_phase(std::int32_t number);
  void share(const Event& completion, double seconds);
  void find_partners(const Event& completion);
  void wait_for(std::int64_t peer, double seconds, std::map<std::uint32_t, double>& waits) const {
    if (peer != no_peer) waits[static_cast<std::uint32_t>(rank_ + peer)] += seconds;
  }

  std::uint32_t rank_;
  const ThreadStream& stream_;
  WalkSums& sums_;
  PositionClock clock_;
  RequestTrail trail_;
  std::vector<bool> with_phases_;
  std::vector<std::int64_t> senders_;  ///< of what a call completed
  std::vector<std::int64_t> receivers_;
  ActivitySeconds pending_{};
  std::uint64_t steps_ = 0;
};

/// Omissions lie between items of the outermost rule.
void StreamWalk::walk() {
  const std::vector<std::uint64_t> length = lengths(stream_.program);
  std::uint64_t passed = 0;
  auto omission = stream_.omissions.begin();
  for (const Item& item : stream_.program.rules.front().items) {
    for (; omission != stream_.omissions.end() && omission->after_events <= passed; ++omission) {
      trail_.forget();
      end_phase(0);
    }
    if (!go_through(item, 1)) {
      sums_.is_cut = true;
      break;
    }
    passed += item.repeats * (item.is_rule ? length[item.index] : 1);
  }
  end_phase(0);
}

bool StreamWalk::go_through(std::uint32_t rule, std::uint64_t passes) {
  for (const Item& item : stream_.program.rules[rule].items) {
    if (!go_through(item, passes)) return false;
  }
  return true;
}

bool StreamWalk::repeat(const Item& item, std::uint64_t passes) {
  if (with_phases_[item.index]) {
    for (std::uint64_t i = 0; i < item.repeats; ++i) {
      if (!go_through(item.index, passes)) return false;
    }
    return true;
  }
  if (!go_through(item.index, passes)) return false;
  if (item.repeats == 1) return true;
  const std::uint64_t made = trail_.made();
  if (!go_through(item.index, passes * (item.repeats - 1))) return false;
  trail_.repeat_since(made, item.repeats - 2);
  return true;
}

bool StreamWalk::visit(const Item& item, std::uint64_t passes) {
  const Event& event = stream_.program.events[item.index];
  const PositionSeconds seconds = clock_.pass(item.times, passes * item.repeats);
  of(pending_, Activity::computing) += seconds.before;
  of(pending_, activity_of(event.op)) += seconds.inside;
  if (event.op == Op::phase) end_phase(event.tag);
  if (makes_request(event)) {
    trail_.add(event, item.repeats);
  } else if (is_receive(event.op) || is_in(event.op, Op::probe, Op::improbe)) {
    wait_for(event.peer, seconds.inside, sums_.receives);
  } else if (is_in(event.op, Op::send, Op::rsend) && event.op != Op::bsend) {
    wait_for(event.peer, seconds.inside, sums_.sends);
  } else if (is_completion(event.op) && event.list != 0) {
    share(event, seconds.inside);
  }
  return ++steps_ < most_steps;
}

void StreamWalk::end_phase(std::int32_t number) {
  ActivitySeconds& phase = sums_.phases[number];
  for (std::size_t i = 0; i < activity_count; ++i) phase[i] += pending_[i];
  pending_ = {};
}

void StreamWalk::share(const Event& completion, double seconds) {
  find_partners(completion);
  const bool receives = !senders_.empty();
  std::vector<std::int64_t>& partners = receives ? senders_ : receivers_;
  // Nobody waits for itself, unless for nobody else; peers are told by how far they are.
  const auto is_self = [](std::int64_t partner) { return partner == 0; };
  if (!std::ranges::all_of(partners, is_self)) std::erase_if(partners, is_self);
  for (const std::int64_t partner : partners) {
    wait_for(partner, seconds / static_cast<double>(partners.size()),
             receives ? sums_.receives : sums_.sends);
  }
}

void StreamWalk::find_partners(const Event& completion) {
  senders_.clear();
  receivers_.clear();
  for_each_stretch<completed_request_fields>(
      ByteReader("a list of completed requests", stream_.program.lists[completion.list]),
      [&](const auto& stretch) {
        steps_ += stretch.entries;
        for (std::uint64_t i = 0; i < stretch.entries; ++i) {
          const std::int64_t matched = stretch.at(i, 2);
          if (is_cancelled(matched, stretch.at(i, 3))) continue;
          const Event* const made =
              stretch.at(i, 1) == 0 ? trail_.made_before(stretch.at(i, 0)) : nullptr;
          if (matched != no_peer) {
            senders_.push_back(matched);
          } else if (made != nullptr && is_receive(made->op)) {
            senders_.push_back(made->peer);
          } else if (made != nullptr && is_send(made->op) && made->op != Op::ibsend) {
            receivers_.push_back(made->peer);
          }
        }
      });
}

/// How often each position of a stream was passed does not tell how long a call took that was not
/// timed: where that makes more than the wall clock had, calls took as much less. 1: no more.
double share_of_calls(const ThreadStream& stream) {
  constexpr double noise = 0.001;
  const PositionSeconds all = seconds_of_positions(stream);
  const double outside = all.before + all.asleep;
  const double wall = wall_seconds(stream);
  if (outside + all.inside <= (1 + noise) * wall || outside >= wall) return 1;
  return (wall - outside) / all.inside;
}

ThreadStream with_shorter_calls(ThreadStream stream) {
  const double share = share_of_calls(stream);
  if (share == 1) return stream;
  for (PositionTimes& times : stream.times) {
    times.inside.sum *= share;
    times.first_inside *= share;
  }
  return stream;
}

}  // namespace

Summarizer::Summarizer(std::uint32_t world_size, std::size_t most_waits) : most_waits_(most_waits) {
  summary_.awaited.resize(world_size);
}

void Summarizer::add(const RankTimeline& timeline) {
  RankSeconds rank;
  rank.rank = timeline.rank;
  rank.run = timeline.run_seconds;
  WalkSums sums;
  const double init = timeline.init_seconds;
  summary_.begin = summary_.ranks.empty() ? init : std::min(summary_.begin, init);
  end_ = std::max(end_, init + timeline.run_seconds);
  for (const ThreadStream& recorded : timeline.threads) {
    const ThreadStream stream = with_shorter_calls(recorded);
    add_positions(stream, rank);
    StreamWalk(timeline.rank, stream, sums).walk();
    end_ = std::max(end_, init + stream.end);
    summary_.events += stream.events;
    summary_.bytes += stream.bytes;
    summary_.covered_events += stream.events;
    summary_.covered_bytes += stream.bytes;
    summary_.most_omissions =
        std::max<std::uint64_t>(summary_.most_omissions, stream.omissions.size());
    for (const Omission& omission : stream.omissions) {
      rank.omitted += omission.seconds;
      summary_.covered_events -= omission.events;
      summary_.covered_bytes -= omission.bytes;
    }
  }
  summary_.most_threads = std::max(summary_.most_threads, timeline.threads.size());
  if (timeline.threads.size() == 1) {
    // What was computed after the last operation is in no position.
    double& computing = of(rank.seconds, Activity::computing);
    rank.after_last = std::max(0.0, timeline.run_seconds - timeline.threads.front().end);
    rank.computing_after_last =
        std::clamp(timeline.computing_seconds - computing, 0.0, rank.after_last);
    computing += rank.computing_after_last;
    double known = rank.omitted;
    for (const double seconds : rank.seconds) known += seconds;
    rank.off_cpu = std::max(0.0, rank.run - known);
    rank.preempted = timeline.threads.front().preempted;
  }
  summary_.ranks.push_back(rank);
  for (const auto& [number, seconds] : sums.phases) {
    PhaseSeconds& phase = summary_.phases[number];
    const double computing = of(seconds, Activity::computing);
    if (phase.ranks++ == 0 || computing > phase.most_computing) {
      phase.most_computing = computing;
      phase.slowest = timeline.rank;
    }
    for (std::size_t i = 0; i < activity_count; ++i) phase.seconds[i] += seconds[i];
  }
  if (sums.is_cut) ++summary_.cut_ranks;
  for (const auto& [awaited, seconds] : sums.receives) {
    add_wait({timeline.rank, awaited, seconds, false});
  }
  for (const auto& [awaited, seconds] : sums.sends) {
    add_wait({timeline.rank, awaited, seconds, true});
  }
}

Summary Summarizer::take() {
  summary_.seconds = std::max(0.0, end_ - summary_.begin);
  return std::move(summary_);
}

OperationSum& Summarizer::sum_of(const Event& event) {
  const auto flags = static_cast<std::uint8_t>(event.flags & (nonblocking | persistent));
  const auto [found, is_new] =
      operation_.try_emplace({event.op, flags}, summary_.operations.size());
  if (is_new) summary_.operations.push_back({name_of(event.op, flags), event.op});
  return summary_.operations[found->second];
}

void Summarizer::add_positions(const ThreadStream& stream, RankSeconds& rank) {
  for_each_position(stream, [&](const Event& event, std::uint64_t times,
                                const PositionSeconds& seconds) {
    of(rank.seconds, Activity::computing) += seconds.before;
    of(rank.seconds, activity_of(event.op)) += seconds.inside;
    OperationSum& sum = sum_of(event);
    sum.calls += times;
    std::uint64_t bytes = 0;
    if (__builtin_mul_overflow(times, event.bytes, &bytes) ||
        __builtin_add_overflow(sum.bytes, bytes, &sum.bytes)) {
      throw bad_input("the timeline of rank " + std::to_string(rank.rank),
                      "less than 2^64 bytes in all", "more in " + sum.name);
    }
    sum.seconds += seconds.inside;
  });
}

void Summarizer::add_wait(const WaitPair& pair) {
  if (pair.awaited < summary_.awaited.size()) summary_.awaited[pair.awaited] += pair.seconds;
  if (pair.seconds <= 0) return;
  std::vector<WaitPair>& longest = summary_.waits;
  const auto is_shorter = [&](const WaitPair& other) { return other.seconds < pair.seconds; };
  longest.insert(std::find_if(longest.begin(), longest.end(), is_shorter), pair);
  if (longest.size() > most_waits_) longest.pop_back();
}

}  // namespace kith::timeline
