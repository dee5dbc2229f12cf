// Numbered things by the time of what comes next of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kith::simulate {

/// A heap in which each number is at most once: its time can be changed. Of equal times the lower
/// number comes first.
class TimeHeap {
 public:
  bool is_empty() const { return heap_.empty(); }
  double first_time() const { return heap_.front().time; }
  std::uint32_t first() const { return heap_.front().number; }

  /// Puts a number in, or changes its time.
  void put(std::uint32_t number, double time) {
    if (number >= places_.size()) places_.resize(number + std::size_t{1}, nowhere);
    std::uint32_t place = places_[number];
    if (place == nowhere) {
      place = static_cast<std::uint32_t>(heap_.size());
      heap_.push_back({});
    }
    move({time, number}, place);
  }
  void remove(std::uint32_t number) {
    const std::uint32_t place = places_[number];
    places_[number] = nowhere;
    const Entry last = heap_.back();
    heap_.pop_back();
    if (place < heap_.size()) move(last, place);
  }

 private:
  static constexpr std::uint32_t nowhere = UINT32_MAX;
  static constexpr std::uint32_t children = 4;

  struct Entry {
    double time = 0;
    std::uint32_t number = 0;
    bool operator<(const Entry& other) const {
      return time != other.time ? time < other.time : number < other.number;
    }
  };

  void set(std::uint32_t place, const Entry& entry) {
    heap_[place] = entry;
    places_[entry.number] = place;
  }
  /// To where it belongs, from a place that is free.
  void move(const Entry& entry, std::uint32_t place) {
    while (place > 0 && entry < heap_[(place - 1) / children]) {
      set(place, heap_[(place - 1) / children]);
      place = (place - 1) / children;
    }
    while (true) {
      const std::size_t first = std::size_t{place} * children + 1;
      std::size_t least = first;
      for (std::size_t i = first + 1; i < first + children && i < heap_.size(); ++i) {
        if (heap_[i] < heap_[least]) least = i;
      }
      if (least >= heap_.size() || !(heap_[least] < entry)) break;
      set(place, heap_[least]);
      place = static_cast<std::uint32_t>(least);
    }
    set(place, entry);
  }

  std::vector<Entry> heap_;
  std::vector<std::uint32_t> places_;  ///< by number
};

}  // namespace kith::simulate
