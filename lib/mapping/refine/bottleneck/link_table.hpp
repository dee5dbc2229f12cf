// Numbers of links: only those that are not 0, or were once.
#pragma once

#include <cstdint>
#include <vector>

namespace kith::bottleneck {

/// Sums by link, modulo 2^64. Open addressing; links are kept in the order of their first use.
class LinkTable {
 public:
  struct Entry {
    std::uint64_t link;
    std::uint64_t sum;
  };

  LinkTable() : places_(16, none) {}

  std::uint64_t& operator[](std::uint64_t link) {
    std::size_t at = find(link);
    if (places_[at] == none) {
      if (2 * (entries_.size() + 1) > places_.size()) {
        grow();
        at = find(link);
      }
      take(at);
      entries_.push_back({link, 0});
    }
    return entries_[places_[at]].sum;
  }

  std::uint64_t at(std::uint64_t link) const {
    const std::uint32_t place = places_[find(link)];
    return place == none ? 0 : entries_[place].sum;
  }

  const std::vector<Entry>& entries() const { return entries_; }

  /// O(entries).
  void clear() {
    for (const std::size_t place : used_) places_[place] = none;
    used_.clear();
    entries_.clear();
  }

 private:
  static constexpr std::uint32_t none = 0xffffffff;

  std::size_t start(std::uint64_t link) const {
    return static_cast<std::size_t>(link * 0x9e3779b97f4a7c15U >> 20) & (places_.size() - 1);
  }

  std::size_t find(std::uint64_t link) const {
    std::size_t at = start(link);
    while (places_[at] != none && entries_[places_[at]].link != link) {
      at = (at + 1) & (places_.size() - 1);
    }
    return at;
  }

  /// For the entry that comes next.
  void take(std::size_t place) {
    places_[place] = static_cast<std::uint32_t>(used_.size());
    used_.push_back(place);
  }

  void grow() {
    places_.assign(2 * places_.size(), none);
    used_.clear();
    for (const Entry& entry : entries_) take(find(entry.link));
  }

  std::vector<std::uint32_t> places_;  // of entries; size a power of two
  std::vector<std::size_t> used_;      // by entry: its place
  std::vector<Entry> entries_;
};

}  // namespace kith::bottleneck
