// Cuts a set of ranks into parts of exact sizes, as a slicing says.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mapping/tiling/rank_space.hpp"
#include "mapping/tiling/slicing.hpp"

namespace kith::tiling {

/// Planes with a step where a layer is not used up: the rest of a layer is filled line by line, its
/// longest dimension last to end, so that the step is short. Holds a reference to the space.
class Slicer {
 public:
  explicit Slicer(const RankSpace& space);

  /// The box around ranks, with the space's density.
  SlicedBox box_around(std::span<const std::uint32_t> ranks) const;

  /// Reorders `ranks` so that part p is those from ends[p - 1] (0) to ends[p] - 1. `ends` is
  /// ascending, the last is the number of ranks. O(ranks x cuts x log parts) expected.
  void slice(std::span<std::uint32_t> ranks, std::span<const std::uint32_t> ends,
             const Slicing& slicing);

 private:
  struct Item {
    std::uint64_t key;  ///< the place, most important dimension first
    std::uint32_t rank;
    bool operator<(const Item& other) const {
      return key != other.key ? key < other.key : rank < other.rank;
    }
  };

  void cut(std::span<Item> items, std::span<const std::uint32_t> ends, std::uint32_t before,
           const Slicing& slicing, unsigned depth);
  void set_keys(std::span<Item> items, std::uint32_t first_dimension) const;

  const RankSpace& space_;
  std::vector<Item> items_;
};

}  // namespace kith::tiling
