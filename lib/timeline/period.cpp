#include "timeline/period.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "timeline/fitted_walk.hpp"
#include "timeline/list_code.hpp"
#include "timeline/request_trail.hpp"

namespace kith::timeline {
namespace {

constexpr std::size_t most_peers = 4;
/// Seconds by which rounding may move the edge of a window.
constexpr double border = 1e-9;

/// The loop to show: of those whose pass has at most `most_events`, the one that takes longest.
struct Loop {
  std::uint32_t rule = 0;
  std::uint64_t repeats = 0;  ///< 0: no loop was found
  double seconds = 0;
};

void look_for_loops(const Program& program, const FittedWalk& walk, std::uint32_t rule,
                    std::uint64_t most_events, std::optional<std::uint64_t> repeats, double passes,
                    Loop& best, int depth) {
  for (const Item& item : program.rules[rule].items) {
    if (!item.is_rule) continue;
    const FittedPace& pace = walk.pace(item.index);
    const double seconds = passes * static_cast<double>(item.repeats) * pace.span;
    if (seconds <= best.seconds) continue;
    if (item.repeats > 1 && pace.events <= most_events &&
        item.repeats == repeats.value_or(item.repeats)) {
      best = {item.index, item.repeats, seconds};
    } else if (depth < 64) {
      look_for_loops(program, walk, item.index, most_events, repeats,
                     passes * static_cast<double>(item.repeats), best, depth + 1);
    }
  }
}

/// Finds when passes of a rule begin, where it is passed for the first time.
class PassFinder {
 public:
  PassFinder(std::uint32_t rule, std::uint64_t from, std::uint64_t to)
      : rule_(rule), from_(from), to_(to) {}
  bool step(const FittedStep&) const { return true; }
  std::uint64_t passes(double, const FittedPace&, std::uint64_t left) const {
    return inside_ ? 0 : left;
  }
  void whole(double, const FittedPace&, std::uint64_t) const {}
  bool loop(std::uint32_t rule, std::uint64_t pass, std::uint64_t, double now) {
    if (rule != rule_) return true;
    inside_ = true;
    if (pass == from_) begin = now;
    if (pass == to_) end = now;
    return pass < to_;
  }

  double begin = 0;
  double end = 0;

 private:
  std::uint32_t rule_;
  std::uint64_t from_;
  std::uint64_t to_;
  bool inside_ = false;
};

/// Keeps the slices of a window.
class SliceTaker {
 public:
  SliceTaker(const Program& program, double begin, double end, std::uint64_t most,
             std::map<PeriodEvent, std::uint32_t>& events, PeriodRank& rank)
      : program_(program),
        begin_(begin),
        end_(end),
        most_(most),
        events_(events),
        rank_(rank),
        trail_(program) {}

  bool step(const FittedStep& step) {
    const double from = step.begin - step.gap;
    if (from >= end_) return false;
    const bool is_seen = step.begin + step.inside > begin_ && step.event->op != Op::phase;
    if (is_seen && rank_.slices.size() == most_) {
      is_cut = true;
      return false;
    }
    if (is_seen) {
      if (rank_.slices.empty()) rank_.begin = from;
      rank_.slices.push_back({step.computing, step.gap, step.inside, number_of(*step.event)});
    }
    if (makes_request(*step.event)) trail_.add(*step.event, 1);
    return true;
  }
  /// Skips what lies before the window, but for the last pass, whose requests may be waited for.
  std::uint64_t passes(double now, const FittedPace& pace, std::uint64_t left) const {
    if (pace.span <= 0) return now < begin_ && left > 1 ? left - 1 : 0;
    const double fit = (begin_ - now) / pace.span - 1;
    if (fit < 1) return 0;
    return fit >= static_cast<double>(left) ? left - 1 : static_cast<std::uint64_t>(fit);
  }
  void whole(double, const FittedPace&, std::uint64_t) const {}
  bool loop(std::uint32_t, std::uint64_t, std::uint64_t, double now) const { return now < end_; }

  bool is_cut = false;

 private:
  std::uint32_t number_of(const Event& event) {
    PeriodEvent plain;
    plain.op = event.op;
    plain.bytes = event.bytes;
    plain.tag = event.tag;
    if (event.peer != no_peer && !is_collective(event.op)) plain.peers.push_back(event.peer);
    if (is_completion(event.op) && event.list != 0) add_completed(event, plain);
    const auto next = static_cast<std::uint32_t>(events_.size());
    return events_.try_emplace(std::move(plain), next).first->second;
  }
  void add_completed(const Event& completion, PeriodEvent& plain) const;

  const Program& program_;
  double begin_;
  double end_;
  std::uint64_t most_;
  std::map<PeriodEvent, std::uint32_t>& events_;
  PeriodRank& rank_;
  RequestTrail trail_;
};

void SliceTaker::add_completed(const Event& completion, PeriodEvent& plain) const {
  const auto add = [&](std::int64_t peer) {
    auto& peers = plain.peers;
    const auto known = static_cast<std::int32_t>(peer);
    if (peer != no_peer && peers.size() < most_peers && std::ranges::count(peers, known) == 0) {
      peers.push_back(known);
    }
  };
  for_each_stretch<completed_request_fields>(
      ByteReader("a list of completed requests", program_.lists[completion.list]),
      [&](const auto& stretch) {
        plain.requests += static_cast<std::uint32_t>(stretch.entries);
        for (std::uint64_t i = 0; i < stretch.entries && plain.peers.size() < most_peers; ++i) {
          if (is_cancelled(stretch.at(i, 2), stretch.at(i, 3))) continue;
          if (stretch.at(i, 2) != no_peer) {
            add(stretch.at(i, 2));
          } else if (stretch.at(i, 1) == 0) {
            const Event* const made = trail_.made_before(stretch.at(i, 0));
            if (made != nullptr && is_receive(made->op)) add(made->peer);
          }
        }
      });
}

struct Window {
  double begin = 0;
  double end = 0;
  Loop loop;                ///< without repeats: a part of the run
  std::uint64_t shown = 0;  ///< passes of it
};

/// The second and third pass of the loop to show; `repeats`: only of one that is passed so often.
std::optional<Window> loop_window(const RankTimeline& timeline, std::uint64_t most_events,
                                  std::optional<std::uint64_t> repeats) {
  const ThreadStream& stream = timeline.threads.front();
  FittedWalk walk(timeline, stream);
  Window window;
  look_for_loops(stream.program, walk, 0, most_events, repeats, 1, window.loop, 0);
  const Loop& loop = window.loop;
  if (loop.repeats == 0) return std::nullopt;
  const std::uint64_t first = loop.repeats > 2 ? 1 : 0;
  const std::uint64_t room = std::max<std::uint64_t>(1, most_events / walk.pace(loop.rule).events);
  window.shown = std::min({std::uint64_t{2}, room, loop.repeats - first});
  PassFinder finder(loop.rule, first, first + window.shown);
  walk.go(finder);
  window.begin = finder.begin;
  window.end = finder.end;
  if (!(window.end > window.begin)) return std::nullopt;
  return window;
}

/// The middle of the run, as long as holds so many operations on average.
Window middle_window(const RankTimeline& timeline, std::uint64_t most_events) {
  const ThreadStream& stream = timeline.threads.front();
  const FittedWalk walk(timeline, stream);
  const double all = stream.end - stream.begin;
  const auto events = static_cast<double>(std::max<std::uint64_t>(1, walk.pace(0).events));
  const double span = all * std::min(1.0, static_cast<double>(most_events) / events);
  Window window;
  window.begin = timeline.init_seconds + stream.begin + (all - span) / 2;
  window.end = window.begin + span;
  return window;
}

}  // namespace

Period find_period(TimelineFiles& files, std::uint32_t centre, const PeriodLimits& limits) {
  const std::vector<std::uint32_t>& ranks = files.ranks();
  const std::size_t shown = std::min<std::size_t>(limits.ranks, ranks.size());
  const auto at = std::ranges::lower_bound(ranks, centre);
  const auto middle = static_cast<std::size_t>(at - ranks.begin());
  const std::size_t first =
      std::min(middle > shown / 2 ? middle - shown / 2 : 0, ranks.size() - shown);
  const std::uint64_t share = std::max<std::uint64_t>(1, limits.slices / shown);
  const RankTimeline chosen = files.read(at == ranks.end() ? ranks.back() : *at);
  Period period;
  if (chosen.threads.empty()) return period;
  const std::optional<Window> loop = loop_window(chosen, share, std::nullopt);
  const Window window = loop ? *loop : middle_window(chosen, share);
  period.begin = window.begin;
  period.end = window.end;
  period.repeats = window.loop.repeats;
  period.shown = window.shown;
  std::map<PeriodEvent, std::uint32_t> events;
  for (std::size_t i = first; i < first + shown; ++i) {
    const RankTimeline timeline = files.read(ranks[i]);
    PeriodRank& rank = period.ranks.emplace_back();
    rank.rank = timeline.rank;
    if (timeline.threads.empty()) continue;
    const ThreadStream& stream = timeline.threads.front();
    // The same passes of the same loop, whenever this rank comes to them.
    const std::optional<Window> own =
        loop ? loop_window(timeline, 2 * share, period.repeats) : std::nullopt;
    const Window& seen = own && own->shown == window.shown ? *own : window;
    // Ranks that do more than the one in the middle get some more room, as others do less.
    SliceTaker taker(stream.program, seen.begin + border, seen.end - border, 2 * share, events,
                     rank);
    FittedWalk(timeline, stream).go(taker);
    period.is_cut = period.is_cut || taker.is_cut;
  }
  period.events.resize(events.size());
  for (auto& [event, number] : events) period.events[number] = event;
  if (loop) align_period(period);
  return period;
}

}  // namespace kith::timeline
