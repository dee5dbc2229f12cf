// The seconds that a position of a folded stream took when it was passed several times.
#pragma once

#include <cstdint>
#include <vector>

#include "timeline/stream.hpp"
#include "timeline/unroll.hpp"

namespace kith::timeline {

struct PositionSeconds {
  double before = 0;  ///< computation before the operation
  double inside = 0;
  double asleep = 0;  ///< before the operation, beside the computation
};

/// Of one time at a position: the first, if that was kept by itself, or the mean of the others.
PositionSeconds seconds_at(const PositionTimes& times, bool first);

/// Hands out the first time at a position once, and the mean from then on.
class PositionClock {
 public:
  explicit PositionClock(const std::vector<PositionTimes>& times)
      : times_(times), passed_(times.size()) {}

  bool passed(std::uint32_t position) const { return passed_[position]; }

  /// Of the next `passes` times at a position, together.
  PositionSeconds pass(std::uint32_t position, std::uint64_t passes) {
    if (passes == 0) return {};
    const PositionTimes& times = times_[position];
    const bool takes_first = times.has_first && (!passed_[position] || times.timed == 0);
    const bool only_first = takes_first && times.timed == 0;
    const double first = only_first ? static_cast<double>(passes) : takes_first ? 1 : 0;
    const double others = only_first || times.timed == 0 ? 0
                                                         : (static_cast<double>(passes) - first) /
                                                               static_cast<double>(times.timed);
    passed_[position] = true;
    return {1e-9 * (first * times.first_before + others * times.before.sum),
            1e-9 * (first * times.first_inside + others * times.inside.sum),
            1e-9 * (first * times.first_asleep + others * times.asleep)};
  }

 private:
  const std::vector<PositionTimes>& times_;
  std::vector<bool> passed_;
};

/// Everything that a stream passes, position by position: the event, how often, and the seconds of
/// all these times together.
template <class Visit>
void for_each_position(const ThreadStream& stream, Visit&& visit) {
  const std::vector<std::uint64_t> passes = passes_of_rules(stream.program);
  PositionClock clock(stream.times);
  for (std::size_t rule = 0; rule < passes.size(); ++rule) {
    for (const Item& item : stream.program.rules[rule].items) {
      if (item.is_rule) continue;
      const std::uint64_t times = passes[rule] * item.repeats;
      visit(stream.program.events[item.index], times, clock.pass(item.times, times));
    }
  }
}

/// The sum of all positions.
PositionSeconds seconds_of_positions(const ThreadStream& stream);

/// Of a thread, by the wall clock, without what was omitted.
double wall_seconds(const ThreadStream& stream);

}  // namespace kith::timeline
