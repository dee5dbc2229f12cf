// Folds a stream of events while it is recorded: what repeats itself is kept once.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

#include "timeline/event.hpp"
#include "timeline/stream.hpp"

namespace kith::timeline {

/// What all streams of a process may take together, and what they take.
struct MemoryAccount {
  std::atomic<std::size_t> used{0};
  std::size_t most = std::size_t{1} << 20U;

  bool is_empty() const { return used.load(std::memory_order_relaxed) >= most; }
  /// What is left is for windows.
  bool is_three_quarters_used() const {
    return used.load(std::memory_order_relaxed) >= most - most / 4;
  }
};

/// An array of plain values that grows by malloc and never throws.
template <class T>
class GrowingArray {
 public:
  explicit GrowingArray(MemoryAccount& account) : account_(account) {}
  ~GrowingArray() {
    std::free(static_cast<void*>(data_));
    account_.used.fetch_sub(capacity_ * sizeof(T), std::memory_order_relaxed);
  }
  GrowingArray(const GrowingArray&) = delete;
  GrowingArray& operator=(const GrowingArray&) = delete;

  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  std::size_t size() const { return size_; }
  const T* data() const { return data_; }

  /// Room for `more` values behind the last; false without memory.
  bool reserve(std::size_t more) {
    if (size_ + more <= capacity_) return true;
    // By a half, later by 32 KiB: what is counted against a limit is mostly in use.
    const std::size_t most_growth = 32768 / sizeof(T);
    std::size_t capacity = capacity_ + (capacity_ / 2 < most_growth ? capacity_ / 2 : most_growth) + 16;
    if (capacity < size_ + more) capacity = size_ + more;
    void* const moved = std::realloc(static_cast<void*>(data_), capacity * sizeof(T));
    if (moved == nullptr) return false;
    data_ = static_cast<T*>(moved);
    account_.used.fetch_add((capacity - capacity_) * sizeof(T), std::memory_order_relaxed);
    capacity_ = capacity;
    return true;
  }
  /// After reserve().
  void push(const T& value) { data_[size_++] = value; }
  void pop() { --size_; }
  void clear() { size_ = 0; }
  /// Both of one account.
  void swap(GrowingArray& other) {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
  MemoryAccount& account_;
};

/// One thread's. The stream is kept as a grammar whose rules are what occurs more than once, with
/// repetitions as exponents: Sequitur (Nevill-Manning and Witten, "Identifying hierarchical
/// structure in sequences", JAIR 7, 1997), extended by run lengths as Pilgrim has it (Wang et al.,
/// SC 2021). While a loop runs, its next event is known beforehand: to append it costs a
/// comparison.
///
/// Where memory is short, the beginning is kept until three quarters of the account are used. Then
/// a stretch is left out and a window is kept in turn, and each stretch is twice as long as the one
/// before, until the account is empty: the rest is left out. What is left out is counted. Never
/// throws.
class Folder {
 public:
  using Clock = std::uint64_t (*)();
  /// `clock`: ticks, for the time that is left out; null: it is not known.
  explicit Folder(MemoryAccount& account, Clock clock = nullptr);
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() = default;

  /// `sent`: bytes that the event sends, for the account of what is left out.
  void append(const Event& event, std::uint64_t sent) {
    if (predicted_ != nullptr && *predicted_ == event) [[likely]] {
      advance();
    } else {
      append_new(event, sent);
    }
    ++events_;
    bytes_ += sent;
  }

  /// The number of a list for Event::list: equal ones have one number. 0 without memory (then the
  /// rest is left out), and while events are left out; but a `lasting` one is for later events.
  std::uint32_t list_number(std::string_view encoded, bool lasting = false);

  /// Times of the event that was appended last, in ticks: the computation before the operation, the
  /// operation. `unknown`: that part was not measured.
  static constexpr std::uint64_t unknown = UINT64_MAX;
  /// `asleep`: what passed before the operation without a processor.
  void measured(std::uint64_t before, std::uint64_t inside, std::uint64_t asleep = 0);
  /// The same, where nothing was measured yet at the position of that event.
  void measured_if_new(std::uint64_t before, std::uint64_t inside, std::uint64_t asleep);

  std::uint64_t events() const { return events_; }
  /// Whether a part is left out.
  bool full() const { return full_ || gap_count_ > 0; }
  /// Whether the next event is kept.
  bool is_keeping() const { return !full_ && gap_left_ == 0; }
  /// Whether no loop foresees the next event, and it is kept.
  bool expects_news() const { return predicted_ == nullptr && is_keeping(); }

  /// What was appended so far; `tick` in ns. `now`: what the clock says at the end. Throws
  /// std::bad_alloc.
  ThreadStream stream(double tick, std::uint64_t now = 0) const;

 private:
  using Index = std::uint32_t;
  static constexpr Index none = 0;
  static constexpr Index rule_bit = Index{1} << 31U;
  static constexpr Index unregistered = UINT32_MAX;

  /// A symbol in the body of a rule. The guard of a rule closes its body to a ring.
  struct Node {
    Index previous;
    Index next;
    Index symbol;  ///< an event, or a rule with rule_bit
    Index times;
    Index chain;  ///< next in the bucket of the pair (this node, the next one), or `unregistered`
    Index is_guard;
    std::uint64_t repeats;
  };
  struct RuleState {
    Index guard;
    Index uses;  ///< how many nodes name it
    Index held;  ///< by a flush that still has to append it
    bool alive;
  };
  struct Times {
    double before_sum, before_squares, inside_sum, inside_squares;
    float before_least, before_most, inside_least, inside_most;
    float first_before, first_inside;
    float asleep_sum, first_asleep;
    std::uint32_t timed;
    std::uint32_t has_first;
  };
  /// Where the prediction stands in the body of a rule.
  struct Frame {
    Index rule;
    Index node;
    std::uint64_t done;  ///< repetitions of the node that have passed
  };
  struct Unit {
    Index symbol;
    std::uint64_t repeats;
  };
  struct ListEntry {
    std::size_t at;
    std::size_t size;
  };
  /// A stretch that is left out. Its symbol stands in the stream, so that nothing folds across it.
  struct Gap {
    std::uint64_t after;  ///< events of the stream
    std::uint64_t events;
    std::uint64_t bytes;
    std::uint64_t began;  ///< clock
    std::uint64_t ticks;
  };
  static constexpr Index most_gaps = 20;
  static constexpr Index first_gap_symbol = rule_bit - most_gaps;
  static constexpr std::uint64_t endless = UINT64_MAX;

  bool is_rule(Index symbol) const { return (symbol & rule_bit) != 0; }
  Index rule_of(Index symbol) const { return symbol & ~rule_bit; }
  static bool is_gap(Index symbol) { return symbol >= first_gap_symbol && symbol < rule_bit; }
  Index first_of(Index rule) const { return nodes_[rules_[rule].guard].next; }
  Index tail() const { return nodes_[rules_[0].guard].previous; }
  bool is_guard(Index node) const { return nodes_[node].is_guard != 0; }
  // The loop that is under way.
  void advance() {
    Frame& frame = frames_[depth_ - 1];
    position_ = frame.node;
    ++frame.done;
    if (frame.done == nodes_[frame.node].repeats) finish_node();
  }
  void finish_node();
  void predict();
  bool begin_prediction(Index event);
  void flush_prediction();
  /// What has passed of the round that is under way.
  template <class Visit>
  void for_each_pending(Visit&& visit) const {
    for (std::size_t i = 0; i < depth_; ++i) {
      const Frame& frame = frames_[i];
      for (Index node = first_of(frame.rule); node != frame.node; node = nodes_[node].next) {
        visit(Unit{nodes_[node].symbol, nodes_[node].repeats});
      }
      if (frame.done > 0) visit(Unit{nodes_[frame.node].symbol, frame.done});
    }
  }

  // The grammar.
  void append_new(const Event& event, std::uint64_t sent);
  bool keep(const Event& event);
  bool is_stretch_over() const;
  void begin_gap();
  void open_gap(std::uint64_t length);
  void leave_out(std::uint64_t sent);
  void leave_out_times(std::uint64_t before, std::uint64_t inside);
  void put_omissions(ThreadStream& stream, double tick, std::uint64_t now) const;
  void append_unit(Index symbol, std::uint64_t repeats);
  void close_tail();
  void open_tail();
  bool check_pair(Index left);
  bool replace_pair(Index left, Index match);
  void replace_both(Index left, Index match);
  void substitute(Index left, Index rule);
  void expand_if_single(Index node);
  void inline_rule(Index node);
  Index find_pair(Index left) const;
  void enter_pair(Index left);
  void remove_pair(Index left);
  std::size_t bucket_of(Index left) const;
  void rehash_pairs();
  void join(Index left, Index right);
  Index new_node(Index symbol, std::uint64_t repeats, Index times);
  void free_node(Index node);
  Index new_rule();
  void drop_use(Index symbol);
  void add_use(Index symbol);
  bool has_room_for_rule();
  Index merged_times(Index kept, Index more);
  Times* times_at(Index node);

  Index event_number(const Event& event);

  MemoryAccount& account_;
  Clock clock_;
  bool full_ = false;  ///< nothing more is kept
  const Event* predicted_ = nullptr;
  std::size_t depth_ = 0;
  Index position_ = none;  ///< node of the event appended last
  std::uint64_t events_ = 0;
  std::uint64_t bytes_ = 0;
  std::uint64_t news_ = 0;        ///< events that no loop foresaw
  std::uint64_t gap_left_ = 0;    ///< events that are still left out before the next window
  std::uint64_t gap_length_ = 0;  ///< of the last one
  std::uint64_t window_ = 0;      ///< news in a window
  std::uint64_t window_end_ = 0;  ///< news at which it is over
  std::uint64_t left_out_ = 0;    ///< events, so far
  std::array<Gap, most_gaps> gaps_{};
  Index gap_count_ = 0;
  Index free_nodes_ = none;
  Index free_times_ = none;
  std::size_t pairs_ = 0;
  std::size_t nested_ = 0;  ///< replacements that brought about each other
  static constexpr std::size_t most_nested = 100;  ///< the program's stacks may be small

  GrowingArray<Event> symbols_;
  GrowingArray<Index> symbol_table_;  ///< open addressing; 0: free, else number + 1
  GrowingArray<char> list_bytes_;
  GrowingArray<ListEntry> lists_;  ///< entry 0 is the empty list
  GrowingArray<Index> list_table_;
  GrowingArray<Node> nodes_;  ///< entry 0 is unused
  GrowingArray<RuleState> rules_;
  GrowingArray<Index> free_rules_;
  GrowingArray<Index> dead_rules_;  ///< dissolved, and not yet free
  GrowingArray<Times> times_;  ///< entry 0 is unused
  GrowingArray<Index> buckets_;
  GrowingArray<Unit> pending_;
  static constexpr std::size_t most_depth = 64;
  Frame frames_[most_depth];
};

}  // namespace kith::timeline
