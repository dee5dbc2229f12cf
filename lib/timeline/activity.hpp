// What a rank does at a time, in a few words: the sums of a timeline.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "timeline/event.hpp"

namespace kith::timeline {

/// Order of the sums. A completion is a wait or a test that completed something.
enum class Activity : std::uint8_t {
  computing,
  point_to_point,
  completion,
  collective,
  one_sided,
  setup,
  file
};
inline constexpr std::size_t activity_count = 7;

/// Seconds by activity.
using ActivitySeconds = std::array<double, activity_count>;

inline double& of(ActivitySeconds& seconds, Activity activity) {
  return seconds[static_cast<std::size_t>(activity)];
}
inline double of(const ActivitySeconds& seconds, Activity activity) {
  return seconds[static_cast<std::size_t>(activity)];
}

constexpr Activity activity_of(Op op) {
  if (is_collective(op)) return Activity::collective;
  if (is_completion(op)) return Activity::completion;
  if (is_in(op, Op::put, Op::sync)) return Activity::one_sided;
  if (op == Op::setup) return Activity::setup;
  if (op == Op::file) return Activity::file;
  return op == Op::phase ? Activity::computing : Activity::point_to_point;
}

}  // namespace kith::timeline
