// A folded stream as it lay in the wall time of its rank: for pictures.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "timeline/position_time.hpp"
#include "timeline/stream.hpp"

namespace kith::timeline {

/// What is told apart by colour. A wait is a message wait unless all it completes are collectives.
enum class Shade : std::uint8_t { computing, messages, collectives, other };
inline constexpr std::size_t shade_count = 4;
using ShadeSeconds = std::array<double, shade_count>;

Shade shade_of(Op op);

/// An operation at its place.
struct FittedStep {
  const Event* event = nullptr;
  double computing = 0;  ///< CPU seconds before it
  double gap = 0;        ///< wall seconds before it: more where the rank had no processor
  double begin = 0;      ///< on the clock of init_seconds
  double inside = 0;
};

/// Something that is passed several times, as it goes after the first time.
struct FittedPace {
  std::uint64_t events = 0;
  double span = 0;  ///< wall seconds
  ShadeSeconds seconds{};
};

/// Goes through a stream of `timeline`. Times are stretched, computation first, so that the stream
/// takes as long as it took by the wall clock. Memory and time: O(stream) and what is visited.
class FittedWalk {
 public:
  FittedWalk(const RankTimeline& timeline, const ThreadStream& stream);

  const FittedPace& pace(std::uint32_t rule) const { return pace_[rule]; }

  /// `visitor` has
  ///   bool step(const FittedStep&)    false ends the walk;
  ///   uint64_t passes(double now, const FittedPace&, uint64_t left)
  ///                                   how many of the passes left to take as a whole, may be 0;
  ///   void whole(double now, const FittedPace&, uint64_t passes)   those;
  ///   bool loop(uint32_t rule, uint64_t pass, uint64_t repeats, double now)
  ///                                   before a pass that is not taken as a whole, and behind the
  ///                                   last; false ends the walk.
  template <class Visitor>
  void go(Visitor& visitor) {
    go_through(0, visitor);
  }

 private:
  template <class Visitor>
  bool go_through(std::uint32_t rule, Visitor& visitor) {
    for (const Item& item : stream_.program.rules[rule].items) {
      const FittedPace pace = item.is_rule ? pace_[item.index] : pace_of(item, false);
      for (std::uint64_t i = 0; i < item.repeats;) {
        pass_omissions();
        if (i > 0 || is_known(item)) {
          const std::uint64_t most = std::min(item.repeats - i, passes_before_omission(pace));
          const std::uint64_t whole = std::min(most, visitor.passes(now_, pace, most));
          if (whole > 0) {
            visitor.whole(now_, pace, whole);
            now_ += static_cast<double>(whole) * pace.span;
            number_ += whole * pace.events;
            i += whole;
            continue;
          }
        }
        if (item.is_rule) {
          if (!visitor.loop(item.index, i, item.repeats, now_)) return false;
          if (!go_through(item.index, visitor)) return false;
        } else if (!visitor.step(next(item))) {
          return false;
        }
        ++i;
      }
      if (item.is_rule) {
        known_[item.index] = true;
        if (!visitor.loop(item.index, item.repeats, item.repeats, now_)) return false;
      }
    }
    return true;
  }

  bool is_known(const Item& item) const {
    if (item.is_rule) return known_[item.index];
    // The ends of phases take no time, and are seen each by itself.
    return stream_.program.events[item.index].op != Op::phase && clock_.passed(item.times);
  }
  FittedPace pace_of(const Item& item, bool first);
  FittedStep next(const Item& item);
  void pass_omissions();
  std::uint64_t passes_before_omission(const FittedPace& pace) const;
  void fit();

  const ThreadStream& stream_;
  PositionClock clock_;
  std::vector<FittedPace> pace_;  ///< by rule
  std::vector<bool> known_;       ///< rules that have been passed
  double now_;
  double stretch_before_ = 1;
  double stretch_asleep_ = 1;
  double stretch_inside_ = 1;
  std::uint64_t number_ = 0;
  std::size_t omission_ = 0;
};

}  // namespace kith::timeline
