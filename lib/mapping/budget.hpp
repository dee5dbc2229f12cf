// What a search may still spend.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>

#include "kith/mapper.hpp"

namespace kith {

/// Time and swap tests of one map_ranks() call, shared by all that search in it.
class Budget {
 public:
  explicit Budget(const MapOptions& options);

  /// Takes one swap test; false when there is none left or the time is up, from then on for ever.
  bool spend();
  /// The same for many at once: false, and nothing taken, where fewer are left.
  bool spend(std::uint64_t tests);
  /// A budget with the same deadline and what is left of the work now. What it spends is not taken
  /// from this one: for work of other threads that charge() settles afterwards, in an order that
  /// does not depend on the threads.
  Budget part() const;
  /// Takes what a part has spent. False where so much is not left, or the part itself ran out of
  /// work: its results do not count.
  bool charge(const Budget& part);
  std::uint64_t spent() const { return spent_; }
  /// Whether so many seconds are left. Looks at the clock.
  bool has_time_for(double seconds) const;
  /// Says that the search was cut short for want of time.
  void stop_for_time();
  /// True when searching on is pointless. Looks at the clock.
  bool exhausted();
  /// The same, whatever work is left: for what does no swap tests. Looks at the clock.
  bool is_out_of_time();
  Stopped stopped() const { return stopped_; }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point deadline_ = Clock::time_point::max();
  std::uint64_t tests_left_ = 0;
  std::uint64_t spent_ = 0;
  bool limited_work_ = false;
  std::uint64_t until_clock_ = 0;
  Stopped stopped_ = Stopped::done;
};

/// The order with the least options.objective that a search for another goal has met: how far
/// bytes travel is to stay near it, whatever the goal.
struct LeastSum {
  std::uint64_t sum = std::numeric_limits<std::uint64_t>::max();
  Mapping mapping{};

  void offer(std::uint64_t other_sum, const Mapping& other) {
    if (other_sum >= sum) return;
    sum = other_sum;
    mapping = other;
  }
};

/// A problem and what may still be spent on it. What is pointed to must outlive the task.
struct MapTask : MapProblem {
  // Not explicit: what has no budget may be given the problem alone.
  MapTask(const MapProblem& problem, Budget* left = nullptr) : MapProblem(problem), budget(left) {}
  MapTask(const TrafficGraph& of, const Machine& onto, const MapOptions& given,
          Budget* left = nullptr)
      : MapTask(MapProblem{of, onto, given}, left) {}
  Budget* budget;                 ///< null: no limits
  LeastSum* least_sum = nullptr;  ///< null: nobody keeps it
};

}  // namespace kith
