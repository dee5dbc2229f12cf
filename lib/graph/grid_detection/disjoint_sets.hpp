// Union-find.
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

namespace kith {

class DisjointSets {
 public:
  explicit DisjointSets(std::uint32_t elements) : parent_(elements) {
    std::iota(parent_.begin(), parent_.end(), 0U);
  }

  /// The lowest element of its set.
  std::uint32_t find(std::uint32_t e) {
    while (parent_[e] != e) e = parent_[e] = parent_[parent_[e]];
    return e;
  }

  /// False where they were one already.
  bool unite(std::uint32_t a, std::uint32_t b) {
    a = find(a);
    b = find(b);
    if (a == b) return false;
    a < b ? parent_[b] = a : parent_[a] = b;
    return true;
  }

 private:
  std::vector<std::uint32_t> parent_;
};

/// Sets numbered from 0 by their lowest elements: by element, and how many there are.
struct NumberedSets {
  std::vector<std::uint32_t> of;
  std::uint32_t count = 0;
};
inline NumberedSets numbered(DisjointSets& sets, std::uint32_t elements) {
  NumberedSets result{std::vector<std::uint32_t>(elements), 0};
  for (std::uint32_t e = 0; e < elements; ++e) {
    const std::uint32_t root = sets.find(e);
    result.of[e] = root == e ? result.count++ : result.of[root];
  }
  return result;
}

}  // namespace kith
