#include "timeline/fitted_walk.hpp"

#include <limits>

#include "timeline/activity.hpp"

namespace kith::timeline {

Shade shade_of(Op op) {
  switch (activity_of(op)) {
    case Activity::computing:
      return Shade::computing;
    case Activity::point_to_point:
    case Activity::completion:
      return Shade::messages;
    case Activity::collective:
      return Shade::collectives;
    default:
      return Shade::other;
  }
}

FittedWalk::FittedWalk(const RankTimeline& timeline, const ThreadStream& stream)
    : stream_(stream),
      clock_(stream.times),
      pace_(stream.program.rules.size()),
      known_(stream.program.rules.size()),
      now_(timeline.init_seconds + stream.begin) {
  fit();
  for (std::size_t rule = pace_.size(); rule-- > 0;) {
    FittedPace& sum = pace_[rule];
    for (const Item& item : stream.program.rules[rule].items) {
      const FittedPace once = item.is_rule ? pace_[item.index] : pace_of(item, false);
      const auto repeats = static_cast<double>(item.repeats);
      sum.events += item.repeats * once.events;
      sum.span += repeats * once.span;
      for (std::size_t i = 0; i < shade_count; ++i) sum.seconds[i] += repeats * once.seconds[i];
    }
  }
}

/// Computation is CPU time, so a rank without a processor seems to be quicker than it was.
void FittedWalk::fit() {
  const PositionSeconds all = seconds_of_positions(stream_);
  const double wall = wall_seconds(stream_);
  const double awake = all.before + all.inside;
  if (!(wall > 0) || !(awake + all.asleep > 0)) return;
  if (wall < awake) {
    stretch_before_ = stretch_inside_ = wall / awake;
    stretch_asleep_ = 0;
    return;
  }
  // What was seen to be asleep is; what is missing besides belongs to all computation.
  const double missing = wall - awake;
  if (all.asleep > 0)
    stretch_asleep_ = all.before > 0 ? std::min(1.0, missing / all.asleep) : missing / all.asleep;
  if (all.before > 0) {
    stretch_before_ = 1 + (missing - stretch_asleep_ * all.asleep) / all.before;
  } else if (all.asleep == 0) {
    stretch_inside_ = wall / awake;
  }
}

FittedPace FittedWalk::pace_of(const Item& item, bool first) {
  const PositionSeconds once = seconds_at(stream_.times[item.times], first);
  FittedPace pace;
  pace.events = 1;
  pace.span =
      stretch_before_ * once.before + stretch_asleep_ * once.asleep + stretch_inside_ * once.inside;
  pace.seconds[static_cast<std::size_t>(Shade::computing)] =
      std::min(1.0, stretch_before_) * once.before;
  const Shade shade = shade_of(stream_.program.events[item.index].op);
  pace.seconds[static_cast<std::size_t>(shade)] += stretch_inside_ * once.inside;
  return pace;
}

FittedStep FittedWalk::next(const Item& item) {
  const PositionSeconds once = clock_.pass(item.times, 1);
  FittedStep step;
  step.event = &stream_.program.events[item.index];
  step.computing = std::min(1.0, stretch_before_) * once.before;
  step.gap = stretch_before_ * once.before + stretch_asleep_ * once.asleep;
  step.begin = now_ + step.gap;
  step.inside = stretch_inside_ * once.inside;
  now_ = step.begin + step.inside;
  ++number_;
  return step;
}

void FittedWalk::pass_omissions() {
  for (; omission_ < stream_.omissions.size(); ++omission_) {
    if (stream_.omissions[omission_].after_events > number_) return;
    now_ += stream_.omissions[omission_].seconds;
  }
}

std::uint64_t FittedWalk::passes_before_omission(const FittedPace& pace) const {
  if (omission_ == stream_.omissions.size() || pace.events == 0) {
    return std::numeric_limits<std::uint64_t>::max();
  }
  const std::uint64_t until = stream_.omissions[omission_].after_events;
  return until > number_ ? (until - number_) / pace.events : 0;
}

}  // namespace kith::timeline
