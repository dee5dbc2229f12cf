#include "record/load_clock.hpp"

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "record/row.hpp"
#include "record/thread_record.hpp"

namespace kith::record {
namespace {

// Instructions of this process, counted by the kernel where it allows that.

constinit int counter = -1;

int open_counter(bool threads) {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = PERF_TYPE_HARDWARE;
  attributes.config = PERF_COUNT_HW_INSTRUCTIONS;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
#ifdef PERF_ATTR_SIZE_VER7
  attributes.inherit = threads ? 1 : 0;
  attributes.inherit_thread = threads ? 1 : 0;  // new threads, not child processes
#else
  if (threads) return -1;
#endif
  constexpr int this_process = 0;
  constexpr int any_cpu = -1;
  constexpr int no_group = -1;
  return static_cast<int>(syscall(SYS_perf_event_open, &attributes, this_process, any_cpu, no_group,
                                  PERF_FLAG_FD_CLOEXEC));
}

// A program that closes descriptors which are not its own may have got this number for another
// file, which must not be read from.
bool is_still_ours() {
  const std::string link = "/proc/self/fd/" + std::to_string(counter);
  std::array<char, 64> target{};
  const ssize_t length = readlink(link.c_str(), target.data(), target.size());
  return length > 0 && std::string_view(target.data(), static_cast<std::size_t>(length)) ==
                           "anon_inode:[perf_event]";
}

/// Once. Threads that exist already, but the calling one, are not seen.
void start_instructions() {
  counter = open_counter(true);
  if (counter < 0) counter = open_counter(false);
}

/// Executed in user mode since start_instructions(); Load::unknown where nothing counts.
std::uint64_t instructions_so_far() {
  std::uint64_t count = 0;
  if (counter < 0 || !is_still_ours() || read(counter, &count, sizeof count) != sizeof count)
    return Load::unknown;
  return count;
}

constexpr std::uint32_t burst = 64;
constexpr std::uint32_t gap = 448;
constexpr std::uint32_t gap_spread = 128;
constexpr std::uint32_t bursts_after_long_gap = 16;
// A gap this much slower than its burst held something else.
constexpr std::uint64_t gap_stretch = 4;

// Ticks are 0.2 to 40 ns long on today's machines: orders of magnitude are enough here.
constexpr std::uint64_t ticks_per_microsecond =
#if defined(__x86_64__)
    3000;
#elif defined(__aarch64__)
    50;
#else
    1000;
#endif
constexpr std::uint64_t felt = 2 * ticks_per_microsecond;         // a call each: timing costs 1%
constexpr std::uint64_t long_call = 100 * ticks_per_microsecond;  // the CPU clock costs 1% of it

struct Start {
  std::uint64_t ticks;
  std::uint64_t wall;
  std::uint64_t cpu;
};
constinit Start start{};

void add(std::atomic<std::uint64_t>& sum, std::uint64_t more) {
  sum.store(sum.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
}

}  // namespace

double tick_length() {
  const std::uint64_t passed = ticks() - start.ticks;
  if (passed == 0) return 0;
  return static_cast<double>(nanoseconds_of(CLOCK_MONOTONIC) - start.wall) /
         static_cast<double>(passed);
}

LoadClock::Call LoadClock::begin(CallKind kind) {
  Call call;
  call.entered = ticks();
  const bool new_burst = is_frequent(kind) && timed_ == 0;
  if (new_burst) {
    if (gap_began_ != 0) settle_gap(call.entered);
    burst_began_ = call.entered;
    burst_inside_ = 0;
  }
  const bool is_long = usual_[static_cast<std::size_t>(kind)] >= long_call;
  if (is_long || new_burst || read_ticks_ == 0) {
    const std::uint64_t cpu = nanoseconds_of(CLOCK_THREAD_CPUTIME_ID);
    settle_pending(call.entered, cpu);
    if (is_long) call.cpu = cpu;
  }
  return call;
}

std::uint64_t LoadClock::end(const Call& call, CallKind kind) {
  const std::uint64_t now = ticks();
  // Two processors' clocks may differ by a few ticks.
  const std::uint64_t duration = now > call.entered ? now - call.entered : 0;
  if (call.cpu != 0) {
    read_ticks_ = now;
    read_cpu_ = nanoseconds_of(CLOCK_THREAD_CPUTIME_ID);
    add(inside_, read_cpu_ - call.cpu);
  } else {
    add(pending_, duration);
    if (duration >= long_call) settle_pending(now, nanoseconds_of(CLOCK_THREAD_CPUTIME_ID), duration);
  }
  std::uint32_t& usual = usual_[static_cast<std::size_t>(kind)];
  const auto newest = static_cast<std::uint32_t>(std::min<std::uint64_t>(duration, UINT32_MAX / 8));
  usual = usual - usual / 4 + newest / 4;
  if (gap_began_ != 0) {
    gap_known_ += duration;  // one that is always timed, between untimed ones
  } else {
    burst_inside_ += duration;
    if (is_frequent(kind) && ++timed_ == burst) end_burst(now);
  }
  return now;
}

// The rule by which untimed calls are split does not hold for this one.
void LoadClock::stalled(std::uint64_t nanoseconds) {
  add(pending_, static_cast<std::uint64_t>(static_cast<double>(nanoseconds) / tick_length()));
  untimed_ = 0;
}

void LoadClock::end_burst(std::uint64_t now) {
  timed_ = 0;
  burst_length_ = now - burst_began_;
  if (burst_length_ >= burst * felt) return;
  if (no_gap_ > 0) {
    --no_gap_;
    return;
  }
  gap_length_ = gap - gap_spread / 2 + ++gaps_ * 0x9e3779b9U / (UINT32_MAX / gap_spread + 1);
  untimed_ = gap_length_;
  gap_began_ = now;
  gap_known_ = 0;
}

// What went untimed is split as the burst before it; what is far longer than that burst lets expect
// was the program's own work, since stalls in MPI are seen.
void LoadClock::settle_gap(std::uint64_t now) {
  const std::uint64_t whole = now > gap_began_ ? now - gap_began_ : 0;
  const std::uint64_t length = whole - std::min(gap_known_, whole);
  const std::uint64_t most = burst_length_ / burst * gap_length_ * gap_stretch;
  if (length > most && length > gap_length_ * felt) no_gap_ = bursts_after_long_gap;
  const double share = static_cast<double>(burst_inside_) /
                       static_cast<double>(std::max<std::uint64_t>(burst_length_, 1));
  add(pending_, static_cast<std::uint64_t>(share * static_cast<double>(std::min(length, most))));
  gap_began_ = 0;
}

// Where the thread had no processor for a part of the time, a call that was as long as none is as a
// rule lost it first (`longest`, ticks; 0: no such call), then all in equal shares.
void LoadClock::settle_pending(std::uint64_t now, std::uint64_t cpu, std::uint64_t longest) {
  const auto pending = static_cast<double>(pending_.load(std::memory_order_relaxed));
  double inside = pending * tick_length();
  if (read_ticks_ != 0) {  // else this thread has just taken over the clock of one that ended
    const double wall = static_cast<double>(now - read_ticks_) * tick_length();
    const double had = static_cast<double>(cpu - read_cpu_);
    const double lost = std::max(wall - had, 0.0);
    const double in_call = std::min(lost, static_cast<double>(longest) * tick_length());
    inside -= in_call;
    if (lost > in_call) inside *= had / (wall - in_call);
  }
  add(inside_, static_cast<std::uint64_t>(std::max(inside, 0.0)));
  pending_.store(0, std::memory_order_relaxed);
  read_ticks_ = now;
  read_cpu_ = cpu;
}

std::uint64_t load_began() {
  return start.ticks;
}

void start_load() {
  start = {ticks(), nanoseconds_of(CLOCK_MONOTONIC), nanoseconds_of(CLOCK_PROCESS_CPUTIME_ID)};
  start_instructions();
}

Load load_so_far() {
  const double tick = tick_length();
  std::uint64_t inside = 0;
  for (const ThreadRecord* record = first_thread_record(); record != nullptr;
       record = record->next) {
    inside += record->load.inside_ns(tick);
  }
  const std::uint64_t cpu = nanoseconds_of(CLOCK_PROCESS_CPUTIME_ID) - start.cpu;
  inside = std::min(inside, cpu);  // a short call may have lost the processor: its ticks went on
  return {cpu - inside, inside, instructions_so_far()};
}

}  // namespace kith::record
