#include "machine/allocate/free_nodes.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

namespace kith {

void FreeIntervals::insert(Stretch stretch) {
  length_at_.emplace(stretch.first, stretch.length);
  by_length_.emplace(stretch.length, stretch.first);
  size_ += stretch.length;
}

void FreeIntervals::erase(std::map<std::uint64_t, std::uint64_t>::iterator stretch) {
  by_length_.erase({stretch->second, stretch->first});
  size_ -= stretch->second;
  length_at_.erase(stretch);
}

bool FreeIntervals::contains(std::uint64_t position) const {
  const auto after = length_at_.upper_bound(position);
  if (after == length_at_.begin()) return false;
  const auto& [first, length] = *std::prev(after);
  return position < first + length;
}

void FreeIntervals::add(Stretch stretch) {
  const auto after = length_at_.upper_bound(stretch.first);
  if (after != length_at_.begin()) {
    const auto before = std::prev(after);
    if (before->first + before->second == stretch.first) {
      stretch = {before->first, before->second + stretch.length};
      erase(before);
    }
  }
  const auto next = length_at_.find(stretch.first + stretch.length);
  if (next != length_at_.end()) {
    stretch.length += next->second;
    erase(next);
  }
  insert(stretch);
}

void FreeIntervals::take(Stretch stretch) {
  const auto holder = std::prev(length_at_.upper_bound(stretch.first));
  const auto [first, length] = *holder;
  erase(holder);
  if (first < stretch.first) insert({first, stretch.first - first});
  const std::uint64_t end = stretch.first + stretch.length;
  if (end < first + length) insert({end, first + length - end});
}

std::optional<Stretch> FreeIntervals::shortest_with(std::uint64_t length) const {
  const auto found = by_length_.lower_bound({length, 0});
  if (found == by_length_.end()) return std::nullopt;
  return Stretch{found->second, found->first};
}

std::vector<Stretch> FreeIntervals::stretches() const {
  std::vector<Stretch> all;
  for (const auto& [first, length] : length_at_) all.push_back({first, length});
  return all;
}

// A window that neither begins with a stretch nor ends with one can be shifted to the front without
// growing: so those that begin with one, or end with one, are all that count.
std::vector<Stretch> FreeIntervals::least_span(std::uint64_t count) const {
  const std::vector<Stretch> all = stretches();
  std::vector<std::uint64_t> before{0};  // positions of the set before each stretch
  for (const Stretch& stretch : all) before.push_back(before.back() + stretch.length);
  const auto position_of = [&](std::uint64_t index, std::size_t near) {
    while (before[near + 1] <= index) ++near;
    while (before[near] > index) --near;
    return std::pair(all[near].first + (index - before[near]), near);
  };
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t best = 0;  // index of the window's first position in the set
  std::size_t first_near = 0;
  std::size_t last_near = 0;
  const auto try_window = [&](std::uint64_t index) {
    if (index + count > size_) return;
    const auto [first, f] = position_of(index, first_near);
    const auto [last, l] = position_of(index + count - 1, last_near);
    first_near = f;
    last_near = l;
    const std::uint64_t span = last - first;
    if (span < least || (span == least && index < best)) {
      least = span;
      best = index;
    }
  };
  for (std::size_t i = 0; i < all.size(); ++i) try_window(before[i]);
  first_near = last_near = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (before[i + 1] >= count) try_window(before[i + 1] - count);
  }
  std::vector<Stretch> window;
  std::size_t at = position_of(best, 0).second;
  std::uint64_t offset = best - before[at];
  for (std::uint64_t left = count; left > 0; ++at, offset = 0) {
    const std::uint64_t length = std::min(left, all[at].length - offset);
    window.push_back({all[at].first + offset, length});
    left -= length;
  }
  return window;
}

std::vector<Stretch> FreeIntervals::best_fit(std::uint64_t count) const {
  if (const auto stretch = shortest_with(count)) return {{stretch->first, count}};
  return least_span(count);
}

}  // namespace kith
