#include "record/timeline/thread_timeline.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <new>

#include "record/load_clock.hpp"
#include "timeline/list_code.hpp"

namespace kith::record {

constinit std::atomic<std::uint64_t> next_snapshot{UINT64_MAX};

namespace {

double (*take_snapshot)() noexcept = nullptr;

constinit std::atomic<bool> kept{false};
constinit std::atomic<std::uint32_t> threads{0};
constinit timeline::MemoryAccount account;

std::uint64_t in_ticks(std::uint64_t nanoseconds) {
  return static_cast<std::uint64_t>(static_cast<double>(nanoseconds) / tick_length());
}

}  // namespace

bool NumberList::grow() {
  const std::size_t capacity = std::max<std::size_t>(64, capacity_ * 2);
  void* const moved = std::realloc(data_, capacity * sizeof(std::int64_t));
  if (moved == nullptr) {
    lost_ = true;
    return false;
  }
  data_ = static_cast<std::int64_t*>(moved);
  capacity_ = capacity;
  return true;
}

ThreadTimeline::ThreadTimeline(timeline::MemoryAccount& memory, std::uint32_t number)
    : folder_(memory, ticks), last_exit_(ticks()), number_(number) {
  began_ = last_exit_;
  rebase();
}

void ThreadTimeline::restart() {
  last_exit_ = ticks();
  begin_next(true);
  rebase();
}

ThreadTimeline::Switches ThreadTimeline::switches() {
  struct rusage usage {};
  if (getrusage(RUSAGE_THREAD, &usage) != 0) return {};
  return {usage.ru_nvcsw, usage.ru_nivcsw};
}

void ThreadTimeline::rebase() {
  cpu_ = nanoseconds_of(CLOCK_THREAD_CPUTIME_ID);
  process_cpu_ = nanoseconds_of(CLOCK_PROCESS_CPUTIME_ID);
  switches_ = switches();
  brief_ = 0;
}

// Of a long stretch outside MPI, what the thread had a processor for: the rest of the CPU time since
// the clock was read last, after the short stretches in between.
std::uint64_t ThreadTimeline::computed_in(std::uint64_t gap) {
  const auto used = in_ticks(nanoseconds_of(CLOCK_THREAD_CPUTIME_ID) - cpu_);
  return std::min(gap, used - std::min(used, brief_));
}

// Meanwhile by threads that call no MPI: those of OpenMP, or any that the program starts and waits
// for. Where several threads call MPI each has a timeline of its own.
std::uint64_t ThreadTimeline::computed_by_others(std::uint64_t gap) {
  if (threads.load(std::memory_order_relaxed) > 1) return 0;
  const std::uint64_t process = nanoseconds_of(CLOCK_PROCESS_CPUTIME_ID) - process_cpu_;
  const std::uint64_t own = nanoseconds_of(CLOCK_THREAD_CPUTIME_ID) - cpu_;
  const double others = process > own ? static_cast<double>(process - own) / tick_length() : 0;
  const double share = static_cast<double>(gap) / static_cast<double>(gap + brief_);
  return static_cast<std::uint64_t>(others * share);
}

// A long stretch since the last call whose end is known, or one with untimed calls in it that were
// no event: null requests, sends to no rank, tests in vain. They took what such calls usually take.
void ThreadTimeline::take_gap(std::uint64_t gap) {
  std::uint64_t computed = gap;
  if (gap >= long_time) {
    computed = computed_in(gap);
    // A little is the price of interrupts.
    const std::uint64_t little = gap / 10;
    if (gap - computed > little) {
      const Switches now = switches();
      // Somebody who sleeps gives the processor away as often as it is taken, or nearly.
      constexpr std::int64_t often = 8;
      const std::int64_t slept = now.slept - switches_.slept;
      const std::int64_t displaced = now.displaced - switches_.displaced;
      const bool was_displaced = slept == 0 || displaced > often * slept;
      if (!was_displaced) computed += std::min(gap - computed, computed_by_others(gap));
      const std::uint64_t away = gap - computed;
      if (away > little) asleep_ += away;
      if (was_displaced) preempted_ += away;
    }
    rebase();
  } else {
    brief_ += gap;
  }
  const std::uint64_t usual = empty_calls_ * static_cast<std::uint64_t>(usual_empty_);
  const std::uint64_t in_calls = std::min(usual, computed);
  inside_ += in_calls;
  before_ += computed - in_calls;
  empty_calls_ = 0;
}

// Between calls of the program, or at the beginning of one.
void ThreadTimeline::append_phase(const timeline::Event& event) {
  const bool inside_call = entered_ != 0;
  const bool is_known = inside_call ? is_before_known_ : last_exit_ != 0;
  if (is_known && !inside_call) enter(ticks());
  folder_.append(event, 0);
  if (is_known) folder_.measured(before_, 0, asleep_);
  before_ = asleep_ = 0;
  if (inside_call || !is_known) return;
  last_exit_ = entered_;
  entered_ = 0;
}

void ThreadTimeline::end_first() {
  if (entered_ == 0 || !is_before_known_) return;
  folder_.measured(before_, 0, asleep_);
  before_ = asleep_ = 0;
}

std::uint32_t ThreadTimeline::list_of(NumberList& list, int fields, bool lasting) {
  if (list.lost() || list.size() == 0) return 0;
  if (!lasting && !folder_.is_keeping()) return 0;
  const std::span<const std::int64_t> all(list.data(), list.size());
  if (all.size() > ListLine::most_numbers) return new_list(all, fields, lasting);
  // Loops wait for the same requests again and again.
  const auto key = static_cast<std::uint64_t>(all[0]) * 5 + all.size();
  ListLine& line = lists_[key % lists_.size()];
  const bool is_known = line.size == all.size() && line.fields == static_cast<unsigned>(fields) &&
                        std::equal(all.begin(), all.end(), line.numbers.begin());
  if (is_known) return line.list;
  line.size = static_cast<std::uint32_t>(all.size());
  line.fields = static_cast<std::uint32_t>(fields);
  std::copy(all.begin(), all.end(), line.numbers.begin());
  line.list = new_list(all, fields, lasting);
  if (line.list == 0) line.size = 0;
  return line.list;
}

std::uint32_t ThreadTimeline::new_list(std::span<const std::int64_t> all, int fields,
                                       bool lasting) {
  std::array<char, 512> brief;
  const std::size_t bytes = timeline::encode_list(all, fields, brief.data(), brief.size());
  if (bytes <= brief.size()) return folder_.list_number({brief.data(), bytes}, lasting);
  auto* const room = static_cast<char*>(std::malloc(bytes));
  if (room == nullptr) return 0;
  timeline::encode_list(all, fields, room, bytes);
  const std::uint32_t number = folder_.list_number({room, bytes}, lasting);
  std::free(room);
  return number;
}

void ThreadTimeline::inner_message(std::int32_t peer, std::uint64_t bytes) {
  inner_.push(peer);
  inner_.push(static_cast<std::int64_t>(bytes));
  inner_.push(1);
}

// Peers in an order of their own: that of the library's agreement may differ from call to call.
std::uint32_t ThreadTimeline::take_inner_messages(std::uint64_t& sent) {
  sent = 0;
  if (inner_.size() == 0) return 0;
  struct Entry {
    std::int64_t peer, bytes, messages;
    bool operator<(const Entry& other) const {
      return peer != other.peer ? peer < other.peer : bytes < other.bytes;
    }
  };
  auto* const entries = reinterpret_cast<Entry*>(inner_.data());
  const std::size_t count = inner_.size() / 3;
  numbers.clear();
  std::sort(entries, entries + count);
  for (std::size_t i = 0; i < count;) {
    std::size_t end = i;
    while (end < count && entries[end].peer == entries[i].peer &&
           entries[end].bytes == entries[i].bytes) {
      sent += static_cast<std::uint64_t>(entries[end++].bytes);
    }
    numbers.push(entries[i].peer);
    numbers.push(entries[i].bytes);
    numbers.push(static_cast<std::int64_t>(end - i));
    i = end;
  }
  inner_.clear();
  return list_of(numbers, timeline::inner_message_fields);
}

void ThreadTimeline::append_setup(CallKind kind) {
  timeline::Event event;
  std::uint64_t sent = 0;
  event.op = kind == CallKind::file ? timeline::Op::file : timeline::Op::setup;
  event.list = take_inner_messages(sent);
  append(event, sent);
}

// What it takes is nobody's time.
void ThreadTimeline::snapshot() {
  if (number_ != 0 || take_snapshot == nullptr) return;
  const double seconds = take_snapshot();
  const std::uint64_t now = ticks();
  const double tick = tick_length();
  const bool again = seconds > 0 && tick > 0;
  next_snapshot.store(again ? now + static_cast<std::uint64_t>(seconds * 1e9 / tick) : UINT64_MAX,
                      std::memory_order_relaxed);
  last_exit_ = now;
  rebase();
}

void snapshot_timeline_by(double (*snapshot)() noexcept, double seconds) {
  take_snapshot = snapshot;
  const double tick = tick_length();
  const bool begins = snapshot != nullptr && tick > 0;
  next_snapshot.store(begins ? ticks() + static_cast<std::uint64_t>(seconds * 1e9 / tick)
                             : UINT64_MAX,
                      std::memory_order_relaxed);
}

timeline::ThreadStream ThreadTimeline::plain(double tick, std::uint64_t began) const {
  constexpr double in_seconds = 1e-9;
  const std::uint64_t end = last_exit_ != 0 ? last_exit_ : ticks();
  timeline::ThreadStream stream = folder_.stream(tick, end);
  const auto since = [&](std::uint64_t then) {
    return then > began ? static_cast<double>(then - began) * tick * in_seconds : 0.0;
  };
  stream.begin = since(began_);
  stream.end = since(end);
  stream.preempted = static_cast<double>(preempted_) * tick * in_seconds;
  return stream;
}

void set_timeline(bool on, std::size_t most_bytes) {
  account.most = most_bytes;
  kept.store(on, std::memory_order_release);
}

bool has_timeline() {
  return kept.load(std::memory_order_acquire);
}

ThreadTimeline* new_thread_timeline() {
  if (!has_timeline()) return nullptr;
  void* const place = std::malloc(sizeof(ThreadTimeline));
  if (place == nullptr) return nullptr;
  return new (place) ThreadTimeline(account, threads.fetch_add(1, std::memory_order_relaxed));
}

}  // namespace kith::record
