// A folded stream event by event, without the unfolded stream in memory.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "timeline/stream.hpp"

namespace kith::timeline {

/// An event at one of its places in the run.
struct Step {
  const Event* event = nullptr;
  std::uint64_t number = 0;  ///< events of the stream before it
  double omitted = 0;        ///< seconds of what was left out of the stream right before it
  double before = 0;         ///< seconds of the computation before it
  double asleep = 0;         ///< ... without a processor, besides: most often asleep
  double begin = 0;          ///< when it begins, in seconds from the end of MPI_Init
  double inside = 0;         ///< seconds in it
};

/// Goes through a stream. Times are the expected ones: the first time at a position what was
/// measured then, later the mean of all other times.
class Unroller {
 public:
  /// Events that end before `from` (seconds) may be skipped.
  explicit Unroller(const ThreadStream& stream, double from = 0);

  /// Calls `visit(step)` for each event in order, until it returns false.
  template <class Visit>
  void for_each(Visit&& visit) {
    go_through(0, visit);
  }

 private:
  struct Pace {
    std::uint64_t events = 0;
    double seconds = 0;  ///< once all positions have been passed
  };

  Step next(const Item& item);
  /// Of `left` repetitions of a rule whose positions have been passed, those that may be skipped.
  std::uint64_t skip(std::uint32_t rule, std::uint64_t left);
  void pass_omissions(double& omitted);

  template <class Visit>
  bool go_through(std::uint32_t rule, Visit& visit) {
    for (const Item& item : stream_.program.rules[rule].items) {
      if (item.is_rule && pace_[item.index].events == 0) continue;
      for (std::uint64_t i = 0; i < item.repeats; ++i) {
        if (!item.is_rule) {
          const Step step = next(item);
          if (step.begin + step.inside >= from_ && !visit(step)) return false;
          continue;
        }
        if (i > 0) i += skip(item.index, item.repeats - i);
        if (i < item.repeats && !go_through(item.index, visit)) return false;
      }
    }
    return true;
  }

  const ThreadStream& stream_;
  double from_;
  double now_;
  std::uint64_t number_ = 0;
  std::size_t omission_ = 0;
  std::vector<bool> passed_;  ///< by index into times
  std::vector<Pace> pace_;    ///< by rule
};

template <class Visit>
void for_each_event(const ThreadStream& stream, Visit&& visit) {
  Unroller(stream).for_each([&](const Step& step) {
    visit(step);
    return true;
  });
}

/// Events in one pass of each rule.
std::vector<std::uint64_t> lengths(const Program& program);

/// The stream up to the first omission: it ends with one that has all that comes later.
ThreadStream beginning_of(ThreadStream stream);

/// How often each rule of a program is passed in the whole stream.
std::vector<std::uint64_t> passes_of_rules(const Program& program);

/// How often each event of a program occurs in the whole stream.
std::vector<std::uint64_t> occurrences(const Program& program);

}  // namespace kith::timeline
