// The seconds that a position of a folded stream took when it was passed several times.
#pragma once

#include <vector>

#include "timeline/stream.hpp"

namespace kith::timeline {

struct PositionSeconds {
  double before = 0;  ///< computation before the operation
  double inside = 0;
  double asleep = 0;  ///< before the operation, beside the computation
};

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

}  // namespace kith::timeline
