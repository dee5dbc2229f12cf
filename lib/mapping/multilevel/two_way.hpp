// Two sides of a graph, and moves between them that lower the cost, best gain first.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "mapping/budget.hpp"
#include "mapping/multilevel/work_graph.hpp"

namespace kith::multilevel {

/// The largest gain on top, the lowest vertex among equals. A vertex is in it at most once. Memory:
/// 4 bytes a vertex of the graph, 16 per member.
class GainHeap {
 public:
  explicit GainHeap(std::uint32_t vertices) : place_(vertices, nowhere) {}

  bool empty() const { return items_.empty(); }
  bool contains(std::uint32_t v) const { return place_[v] != nowhere; }
  std::uint32_t top() const { return items_.front().vertex; }
  std::int64_t top_gain() const { return items_.front().gain; }

  void put(std::uint32_t v, std::int64_t gain) {
    if (place_[v] == nowhere) {
      place_[v] = static_cast<std::uint32_t>(items_.size());
      items_.push_back({gain, v});
      up(place_[v]);
      return;
    }
    const std::uint32_t at = place_[v];
    const std::int64_t before = items_[at].gain;
    items_[at].gain = gain;
    gain > before ? up(at) : down(at);
  }

  void remove(std::uint32_t v) {
    const std::uint32_t at = place_[v];
    if (at == nowhere) return;
    place_[v] = nowhere;
    const Item last = items_.back();
    items_.pop_back();
    if (last.vertex == v) return;
    items_[at] = last;
    place_[last.vertex] = at;
    up(at);
    down(place_[last.vertex]);
  }

  void clear() {
    for (const Item& item : items_) place_[item.vertex] = nowhere;
    items_.clear();
  }

 private:
  static constexpr std::uint32_t nowhere = UINT32_MAX;
  struct Item {
    std::int64_t gain;
    std::uint32_t vertex;
    bool before(const Item& other) const {
      return gain != other.gain ? gain > other.gain : vertex < other.vertex;
    }
  };

  void set(std::uint32_t at, const Item& item) {
    items_[at] = item;
    place_[item.vertex] = at;
  }
  void up(std::uint32_t at) {
    const Item item = items_[at];
    while (at > 0 && item.before(items_[(at - 1) / 2])) {
      set(at, items_[(at - 1) / 2]);
      at = (at - 1) / 2;
    }
    set(at, item);
  }
  void down(std::uint32_t at) {
    const Item item = items_[at];
    const auto count = static_cast<std::uint32_t>(items_.size());
    while (true) {
      std::uint32_t child = 2 * at + 1;
      if (child >= count) break;
      if (child + 1 < count && items_[child + 1].before(items_[child])) ++child;
      if (!items_[child].before(item)) break;
      set(at, items_[child]);
      at = child;
    }
    set(at, item);
  }

  std::vector<std::uint32_t> place_;
  std::vector<Item> items_;
};

/// What a bisection has to keep: the ranks of side 0 (the others are on side 1).
struct Balance {
  std::uint64_t target = 0;
  std::uint64_t tolerance = 0;  ///< this much off is as good as none
};

/// Fiduccia and Mattheyses: "A linear-time heuristic for improving network partitions", DAC 1982:
/// moves the vertex that gains most, each once per pass, and takes back what followed the best
/// state. Here with any weights (heaps instead of buckets), sizes, and the graph's bias.
class TwoWay {
 public:
  /// `side[v]` is 0 or 1. `budget`, where not null, pays for each vertex moved on trial. The
  /// references must outlive this.
  TwoWay(const WorkGraph& graph, std::vector<std::uint8_t>& side, Budget* budget = nullptr);

  /// Makes passes until one does not help, `passes` at most. A pass first brings the size of side 0
  /// within the tolerance, then lowers the cost. The result is never worse than before, even if the
  /// budget ends a pass. A pass ends after `patience` moves without a new best state.
  void refine(const Balance& balance, unsigned passes, std::uint32_t patience);

  /// Weight between the sides plus the bias of those on side 1.
  std::int64_t cost() const { return cost_; }
  std::uint64_t off(const Balance& balance) const;

 private:
  struct State {
    std::uint64_t off;
    std::int64_t cost;
    bool operator<(const State& other) const {
      return off != other.off ? off < other.off : cost < other.cost;
    }
  };
  bool pass(const Balance& balance, std::uint32_t patience);
  bool is_over() { return budget_ != nullptr && budget_->exhausted(); }
  /// Pays for one move, in batches; false where the budget is exhausted.
  bool pay();
  /// 0 or 1: the side from which the next vertex moves; -1: none can.
  int next_side(const Balance& balance, std::uint64_t slack) const;
  void move(std::uint32_t v);
  void queue_neighbours(std::uint32_t v);

  const WorkGraph& graph_;
  std::vector<std::uint8_t>& side_;
  Budget* budget_;
  std::uint32_t unpaid_ = 0;
  std::uint64_t size_of_0_ = 0;
  std::uint32_t largest_ = 1;
  std::int64_t cost_ = 0;
  std::vector<std::int64_t> gain_;    // of moving, for the present sides
  std::vector<std::int64_t> weight_;  // of all edges at a vertex
  std::vector<bool> moved_;
  std::array<GainHeap, 2> heaps_;
};

}  // namespace kith::multilevel
