#include "timeline/unroll.hpp"

#include <algorithm>
#include <utility>

#include "timeline/position_time.hpp"

namespace kith::timeline {

Unroller::Unroller(const ThreadStream& stream, double from)
    : stream_(stream),
      from_(from > 0 ? from : -std::numeric_limits<double>::infinity()),
      now_(stream.begin),
      passed_(stream.times.size()),
      pace_(stream.program.rules.size()) {
  for (std::size_t rule = pace_.size(); rule-- > 0;) {
    for (const Item& item : stream.program.rules[rule].items) {
      const auto repeats = static_cast<double>(item.repeats);
      if (item.is_rule) {
        pace_[rule].events += item.repeats * pace_[item.index].events;
        pace_[rule].seconds += repeats * pace_[item.index].seconds;
      } else {
        const PositionSeconds times = seconds_at(stream.times[item.times], false);
        pace_[rule].events += item.repeats;
        pace_[rule].seconds += repeats * (times.before + times.asleep + times.inside);
      }
    }
  }
}

void Unroller::pass_omissions(double& omitted) {
  for (; omission_ < stream_.omissions.size(); ++omission_) {
    if (stream_.omissions[omission_].after_events > number_) break;
    omitted += stream_.omissions[omission_].seconds;
  }
}

Step Unroller::next(const Item& item) {
  Step step;
  pass_omissions(step.omitted);
  step.event = &stream_.program.events[item.index];
  step.number = number_++;
  const bool first = !passed_[item.times];
  passed_[item.times] = true;
  const PositionSeconds times = seconds_at(stream_.times[item.times], first);
  step.before = times.before;
  step.asleep = times.asleep;
  step.inside = times.inside;
  step.begin = now_ + step.omitted + step.before + step.asleep;
  now_ = step.begin + step.inside;
  return step;
}

std::uint64_t Unroller::skip(std::uint32_t rule, std::uint64_t left) {
  const Pace& once = pace_[rule];
  if (!(from_ > now_) || once.events == 0) return 0;
  if (omission_ < stream_.omissions.size()) {
    const std::uint64_t until = stream_.omissions[omission_].after_events;
    left = std::min(left, until > number_ ? (until - number_) / once.events : 0);
  }
  const double fit = once.seconds > 0 ? std::floor((from_ - now_) / once.seconds) : 0;
  const auto skipped =
      fit >= static_cast<double>(left) ? left : static_cast<std::uint64_t>(std::max(0.0, fit));
  number_ += skipped * once.events;
  now_ += static_cast<double>(skipped) * once.seconds;
  return skipped;
}

std::vector<std::uint64_t> lengths(const Program& program) {
  std::vector<std::uint64_t> of_rules(program.rules.size());
  for (std::size_t rule = of_rules.size(); rule-- > 0;) {
    for (const Item& item : program.rules[rule].items) {
      of_rules[rule] += item.repeats * (item.is_rule ? of_rules[item.index] : 1);
    }
  }
  return of_rules;
}

ThreadStream beginning_of(ThreadStream stream) {
  if (stream.omissions.empty()) return stream;
  const std::vector<std::uint64_t> length = lengths(stream.program);
  Omission& rest = stream.omissions.front();
  std::vector<Item>& items = stream.program.rules.front().items;
  std::uint64_t kept = 0;
  std::size_t used = 0;
  for (Item& item : items) {
    const std::uint64_t once = item.is_rule ? length[item.index] : 1;
    // Recorded omissions lie between items; elsewhere whole repetitions are kept.
    if (once > 0) item.repeats = std::min(item.repeats, (rest.after_events - kept) / once);
    if (item.repeats == 0) break;
    kept += item.repeats * once;
    ++used;
  }
  items.resize(used);
  for (std::size_t i = 1; i < stream.omissions.size(); ++i) {
    rest.bytes += stream.omissions[i].bytes;
    rest.seconds += stream.omissions[i].seconds;
  }
  rest.after_events = kept;
  rest.events = stream.events - std::min(stream.events, kept);
  stream.omissions.resize(1);
  return stream;
}

std::vector<std::uint64_t> passes_of_rules(const Program& program) {
  std::vector<std::uint64_t> passes(program.rules.size());
  passes.front() = 1;
  for (std::size_t rule = 0; rule < program.rules.size(); ++rule) {
    for (const Item& item : program.rules[rule].items) {
      if (item.is_rule) passes[item.index] += passes[rule] * item.repeats;
    }
  }
  return passes;
}

std::vector<std::uint64_t> occurrences(const Program& program) {
  const std::vector<std::uint64_t> passes = passes_of_rules(program);
  std::vector<std::uint64_t> of_events(program.events.size());
  for (std::size_t rule = 0; rule < program.rules.size(); ++rule) {
    for (const Item& item : program.rules[rule].items) {
      if (!item.is_rule) of_events[item.index] += passes[rule] * item.repeats;
    }
  }
  return of_events;
}

}  // namespace kith::timeline
