#include "timeline/position_time.hpp"

namespace kith::timeline {

PositionSeconds seconds_at(const PositionTimes& times, bool first) {
  constexpr double ns = 1e-9;
  if (times.has_first && (first || times.timed == 0)) {
    return {ns * times.first_before, ns * times.first_inside, ns * times.first_asleep};
  }
  if (times.timed == 0) return {};
  const double share = ns / static_cast<double>(times.timed);
  return {share * times.before.sum, share * times.inside.sum, share * times.asleep};
}

PositionSeconds seconds_of_positions(const ThreadStream& stream) {
  PositionSeconds all;
  for_each_position(stream, [&](const Event&, std::uint64_t, const PositionSeconds& seconds) {
    all.before += seconds.before;
    all.inside += seconds.inside;
    all.asleep += seconds.asleep;
  });
  return all;
}

double wall_seconds(const ThreadStream& stream) {
  double wall = stream.end - stream.begin;
  for (const Omission& omission : stream.omissions) wall -= omission.seconds;
  return wall;
}

}  // namespace kith::timeline
