// What one thread does, in order: its events, folded, and their times.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "mpi/late_mpi.h"
#include "record/call_context.hpp"
#include "record/load_clock.hpp"
#include "timeline/fold.hpp"

namespace kith::record {

/// An array that keeps its size from call to call. No memory: null.
template <class T>
class Scratch {
 public:
  ~Scratch() { std::free(static_cast<void*>(data_)); }
  T* of_size(std::size_t size) {
    if (size <= capacity_) return data_;
    std::free(static_cast<void*>(data_));
    data_ = static_cast<T*>(std::malloc((size + size / 2) * sizeof(T)));
    capacity_ = data_ == nullptr ? 0 : size + size / 2;
    return data_;
  }

 private:
  T* data_ = nullptr;
  std::size_t capacity_ = 0;
};

/// Numbers of one list, as they come. Full without memory: then the list is left out.
class NumberList {
 public:
  ~NumberList() { std::free(data_); }
  void clear() { size_ = 0, lost_ = false; }
  void push(std::int64_t number) {
    if (size_ == capacity_ && !grow()) return;
    data_[size_++] = number;
  }
  std::int64_t* data() { return data_; }
  std::size_t size() const { return size_; }
  bool lost() const { return lost_; }

 private:
  bool grow();

  std::int64_t* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
  bool lost_ = false;
};

/// Ticks at which the first thread calls what snapshot_timeline_by() was given.
extern std::atomic<std::uint64_t> next_snapshot;

class ThreadTimeline {
 public:
  /// `number`: of the thread, in the order of their first operation.
  ThreadTimeline(timeline::MemoryAccount& account, std::uint32_t number);

  // Around each call of the program. `ticks` 0: the load clock does not time this one.

  [[gnu::always_inline]] void enter(std::uint64_t ticks) {
    if (ticks == 0 && folder_.expects_news()) ticks = record::ticks();
    entered_ = ticks;
    if (ticks == 0) return;
    if (last_exit_ == 0) {
      is_before_known_ = false;
      return;
    }
    const std::uint64_t gap = ticks > last_exit_ ? ticks - last_exit_ : 0;
    if (gap >= long_time || empty_calls_ > 0) [[unlikely]] {
      take_gap(gap);
    } else {
      before_ += gap;
      brief_ += gap;
    }
  }

  [[gnu::always_inline]] void leave(std::uint64_t ticks, CallKind kind) {
    if (appended_ == 0 && is_setup(kind)) append_setup(kind);
    if (entered_ == 0) return leave_untimed();
    if (ticks == 0) ticks = record::ticks();
    const std::uint64_t inside = ticks > entered_ ? ticks - entered_ : 0;
    if (inside >= long_time) [[unlikely]] {
      rebase();
    } else {
      brief_ += inside;
    }
    last_exit_ = ticks;
    entered_ = 0;
    if (appended_ == 0) return leave_empty(inside);
    if (is_before_known_) {
      folder_.measured(before_, inside_ + inside, asleep_);
    } else if (before_ >= long_time) [[unlikely]] {
      folder_.measured_if_new(before_, inside_ + inside, asleep_);
    }
    if (ticks >= next_snapshot.load(std::memory_order_relaxed)) [[unlikely]]
      snapshot();
    begin_next(true);
  }

  /// A phase ended here: what was computed until now belongs to it.
  void append_phase(const timeline::Event& event);

  /// Another thread goes on with this timeline: a new one, where the former has ended.
  void restart();

  /// An event of the call that is under way.
  void append(const timeline::Event& event, std::uint64_t sent) {
    if (appended_++ == 1) [[unlikely]]
      end_first();
    folder_.append(event, sent);
  }
  /// An event of a call that takes next to no time and is not timed (MPI_Irecv).
  void append_untimed(const timeline::Event& event) { folder_.append(event, 0); }

  /// The number of a list of entries with `fields` numbers each.
  /// 0 while events are left out, except for one that is `lasting`: of later events.
  std::uint32_t list_of(NumberList& numbers, int fields, bool lasting = false);

  /// Counts a request of this thread; its number.
  std::uint64_t new_request() { return requests_++; }
  std::uint64_t requests() const { return requests_; }

  /// A message that the library sends inside a call that sets something up, or of an epoch.
  void inner_message(std::int32_t peer, std::uint64_t bytes);
  /// The number of a list of all of them since the last such event, and their bytes.
  std::uint32_t take_inner_messages(std::uint64_t& sent);
  void forget_inner_messages() { inner_.clear(); }

  std::uint32_t number() const { return number_; }
  /// The stream; `tick` in ns, `began`: when the run did, in ticks. Throws std::bad_alloc.
  timeline::ThreadStream plain(double tick, std::uint64_t began) const;

  // What is remembered by thread, so that no lock is needed.

  struct CommLine {
    MPI_Comm comm;
    std::uint32_t stamp;
    std::uint32_t number;
    bool known;
  };
  CommLine& comm_line(std::size_t key) { return comms_[key % comms_.size()]; }

  /// A collective whose messages are in a list already.
  struct CollectiveLine {
    timeline::Event event;  ///< its list is 0
    std::uint64_t digest;   ///< of the counts that the event does not have
    std::uint64_t sent;
    std::uint32_t list;
    bool known;
  };
  CollectiveLine& collective_line(std::size_t key) { return collectives_[key % collectives_.size()]; }

  /// A list that was made lately, by its numbers.
  struct ListLine {
    static constexpr std::size_t most_numbers = 32;
    std::array<std::int64_t, most_numbers> numbers;
    std::uint32_t size;
    std::uint32_t fields;
    std::uint32_t list;
  };

  NumberList numbers;              ///< for the list that is being made
  Scratch<MPI_Request> handles;  ///< of a completion
  Scratch<MPI_Status> statuses;

 private:
  /// 500 us at 3 GHz: what is shorter has hardly lost the processor, and reading the CPU clock costs
  /// less than 1% of what is longer.
  static constexpr std::uint64_t long_time =
#if defined(__x86_64__)
      1'500'000;
#elif defined(__aarch64__)
      25'000;
#else
      500'000;
#endif

  static bool is_setup(CallKind kind) {
    return kind == CallKind::setup || kind == CallKind::window || kind == CallKind::file;
  }
  /// How often a thread gave its processor away to wait for something, and how often it was taken.
  struct Switches {
    std::int64_t slept = 0;
    std::int64_t displaced = 0;
  };
  static Switches switches();
  // What comes before the event that is next.
  void begin_next(bool is_known) {
    appended_ = 0;
    before_ = inside_ = asleep_ = 0;
    empty_calls_ = 0;
    is_before_known_ = is_known;
  }
  void leave_untimed() {
    if (appended_ == 0) {
      ++empty_calls_;
      return;
    }
    last_exit_ = folder_.expects_news() ? record::ticks() : 0;
    begin_next(true);
  }
  void leave_empty(std::uint64_t inside) {
    inside_ += inside;
    if (inside < long_time) usual_empty_ += (static_cast<std::int64_t>(inside) - usual_empty_) / 8;
  }
  [[gnu::noinline]] void take_gap(std::uint64_t gap);
  std::uint64_t computed_in(std::uint64_t gap);
  std::uint64_t computed_by_others(std::uint64_t gap);
  [[gnu::noinline]] void rebase();
  [[gnu::noinline]] void append_setup(CallKind kind);
  [[gnu::noinline]] void snapshot();
  void end_first();
  std::uint32_t new_list(std::span<const std::int64_t> numbers, int fields, bool lasting);

  timeline::Folder folder_;
  std::uint64_t entered_ = 0;
  std::uint64_t last_exit_ = 0;  ///< ticks; 0: what follows cannot be told from what went untimed
  std::uint64_t before_ = 0;     ///< computation since the last event, ticks
  std::uint64_t asleep_ = 0;     ///< meanwhile without a processor
  std::uint64_t inside_ = 0;     ///< in calls that were no event: tests in vain
  std::uint64_t empty_calls_ = 0;  ///< untimed calls that were no event, since last_exit_
  std::int64_t usual_empty_ = 0;   ///< ticks of such a call: running mean of those that were timed
  std::uint64_t brief_ = 0;      ///< ticks in short stretches since the CPU clock was read
  std::uint64_t cpu_ = 0;        ///< CPU clock then, ns
  std::uint64_t process_cpu_ = 0;  ///< that of the whole process
  Switches switches_;            ///< of the thread, then
  std::uint64_t preempted_ = 0;  ///< ticks of long stretches without a processor, not asleep
  std::uint64_t began_ = 0;
  std::uint64_t requests_ = 0;
  bool is_before_known_ = true;  ///< not after a call that was not timed
  std::uint32_t appended_ = 0;  ///< events of the call that is under way
  std::uint32_t number_;
  NumberList inner_;
  std::array<CommLine, 16> comms_{};
  std::array<CollectiveLine, 64> collectives_{};
  std::array<ListLine, 8> lists_{};
};

/// Whether threads that have no timeline get one. Set before the first event.
void set_timeline(bool on, std::size_t most_bytes);
bool has_timeline();
/// Null where none is kept, or memory is short.
ThreadTimeline* new_thread_timeline();

}  // namespace kith::record
