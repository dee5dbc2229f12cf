// A heap of vertices by gain whose gains may change.
#pragma once

#include <cstdint>
#include <vector>

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

}  // namespace kith::multilevel
