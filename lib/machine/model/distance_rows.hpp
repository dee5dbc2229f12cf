// Rows of a matrix of distances that is too large to be kept whole.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "core/fork_safe_mutex.hpp"

namespace kith {

/// A cache of rows, each computed when it is first asked for. At most `bytes` are kept, but one row
/// at least; of those that share a lock the least recently used goes. Thread safe.
class DistanceRows {
 public:
  using Row = std::vector<std::uint64_t>;

  /// `compute(i)` gives row i, of `items` items, as there are rows; it may be called by several
  /// threads at once and asks no DistanceRows.
  DistanceRows(std::uint32_t items, std::size_t bytes, std::function<Row(std::uint32_t)> compute);

  std::uint64_t at(std::uint32_t row, std::uint32_t column);

 private:
  static constexpr std::uint32_t not_kept = UINT32_MAX;

  struct Kept {
    std::uint32_t number = 0;
    std::uint64_t last_use = 0;
    Row row;
  };
  /// The rows whose number leaves the same remainder.
  struct Shard {
    ForkSafeMutex lock;
    std::vector<std::uint32_t> place;  ///< in `kept`, by row number / number of shards
    std::vector<Kept> kept;
    std::uint64_t uses = 0;
  };

  Kept& place_for_one_more(Shard& shard) const;

  std::function<Row(std::uint32_t)> compute_;
  std::uint32_t shards_;
  std::size_t most_rows_;  // of a shard
  std::array<Shard, 16> shard_;
};

}  // namespace kith
