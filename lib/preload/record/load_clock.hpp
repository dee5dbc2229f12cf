// How much of a thread's time MPI takes, at almost no cost.
#pragma once

#include <time.h>

#include <array>
#include <atomic>
#include <cstdint>

#include "record/call_context.hpp"
#include "record/row.hpp"

// The cheapest clock of this processor.

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace kith::record {

inline std::uint64_t nanoseconds_of(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U +
         static_cast<std::uint64_t>(now.tv_nsec);
}

/// Monotonic on one processor; in units that tick_length() tells.
inline std::uint64_t ticks() {
#if defined(__x86_64__)
  return __rdtsc();
#elif defined(__aarch64__)
  std::uint64_t count;
  asm volatile("mrs %0, cntvct_el0" : "=r"(count));
  return count;
#else
  return nanoseconds_of(CLOCK_MONOTONIC);
#endif
}

}  // namespace kith::record

namespace kith::record {

/// One thread's: written by it alone, read by whoever gathers. Valid when zeroed.
///
/// Sends and receives are timed in bursts of 64. Where a burst shows that they follow each other so
/// closely that timing would be felt (two readings of the processor's clock are 20 ns), the
/// next 448 or so go untimed: sends unseen, waits under the coarse clock of the kernel, which tells a
/// stall. The time they took together is split as the burst was. How many differs from gap to gap,
/// so that no part of a loop always goes untimed; after a gap that held something long, 1024 calls
/// are timed. All of that is wall time, and is
/// cut down to the share of it that the thread had a processor, by its CPU clock at the begin of
/// each burst. Calls that are long as a rule are measured by the CPU clock itself: a thread that
/// gives up the processor uses no CPU time.
class LoadClock {
 public:
  /// One call; zeros where it is not timed.
  struct Call {
    std::uint64_t entered = 0;  ///< ticks
    std::uint64_t cpu = 0;      ///< CPU clock of the thread, ns
    std::uint64_t coarse = 0;   ///< coarse clock, ns
  };

  [[gnu::always_inline]] Call enter(CallKind kind) {
    if (untimed_ > 0 && is_frequent(kind)) {
      --untimed_;
      Call call;
      if (kind == CallKind::wait) call.coarse = nanoseconds_of(coarse_clock);
      return call;
    }
    return begin(kind);
  }

  /// When the call ended, in ticks; 0 where it is not timed.
  [[gnu::always_inline]] std::uint64_t leave(const Call& call, CallKind kind) {
    if (call.coarse != 0) {
      const std::uint64_t passed = nanoseconds_of(coarse_clock) - call.coarse;
      if (passed != 0) [[unlikely]]
        stalled(passed);
    } else if (call.entered != 0) {
      return end(call, kind);
    }
    return 0;
  }

  /// CPU time inside MPI so far, in ns. `tick` is the length of a tick in ns.
  std::uint64_t inside_ns(double tick) const {
    const auto pending = static_cast<double>(pending_.load(std::memory_order_relaxed));
    return inside_.load(std::memory_order_relaxed) + static_cast<std::uint64_t>(pending * tick);
  }

  /// Another thread goes on with this clock.
  void restart() {
    untimed_ = timed_ = 0;
    gap_began_ = 0;
    read_ticks_ = 0;
  }

 private:
  static constexpr clockid_t coarse_clock = CLOCK_MONOTONIC_COARSE;

  static bool is_frequent(CallKind kind) {
    return kind == CallKind::p2p || kind == CallKind::wait || kind == CallKind::poll ||
           kind == CallKind::rma;
  }

  [[gnu::noinline]] Call begin(CallKind kind);
  [[gnu::noinline]] std::uint64_t end(const Call& call, CallKind kind);
  void stalled(std::uint64_t nanoseconds);
  void settle_gap(std::uint64_t now);
  void end_burst(std::uint64_t now);
  void settle_pending(std::uint64_t now, std::uint64_t cpu, std::uint64_t longest = 0);

  std::uint32_t untimed_;      ///< calls still to go untimed in this gap
  std::uint32_t timed_;        ///< frequent calls of this burst
  std::uint32_t gaps_;         ///< so far
  std::uint32_t gap_length_;   ///< calls of the last one
  std::uint32_t no_gap_;       ///< bursts still to go before the next gap
  std::uint64_t burst_began_;  ///< ticks
  std::uint64_t burst_length_;
  std::uint64_t burst_inside_;          ///< ticks inside MPI
  std::uint64_t gap_began_;             ///< ticks, end of the last burst if a gap followed; else 0
  std::uint64_t gap_known_;             ///< ticks of the calls that were timed in the gap
  std::uint64_t read_ticks_;            ///< when the CPU clock was read last; 0: never
  std::uint64_t read_cpu_;              ///< what it said, ns
  std::atomic<std::uint64_t> pending_;  ///< ticks inside MPI since then
  std::atomic<std::uint64_t> inside_;   ///< CPU time inside MPI until then, ns
  std::array<std::uint32_t, call_kind_count> usual_;  ///< ticks, running mean of the duration
};

/// Length of a tick in ns, from the whole run so far.
double tick_length();

/// When start_load() was called, in ticks.
std::uint64_t load_began();

/// Begins to measure this process. Once; before the first snapshot.
void start_load();

/// Load since start_load(): all threads.
Load load_so_far();

}  // namespace kith::record
