// Traffic as the cells of a heatmap: blocks of ranks against blocks of ranks.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kith/mapping.hpp"
#include "kith/traffic.hpp"
#include "report/machine_levels.hpp"
#include "report/rank_axis.hpp"

namespace kith {

/// What the ranks of one block send to those of another, or of their own.
struct HeatCell {
  std::uint32_t row = 0;     ///< block of the senders
  std::uint32_t column = 0;  ///< block of the receivers
  Weight bytes = 0;
  Weight messages = 0;  ///< 0 where they are not known
  /// Over which level of the machine most of the bytes go, the upper of equals; same_slot where
  /// they stay on a slot, or there is no machine.
  int level = same_slot;
  static constexpr int same_slot = -1;

  bool operator==(const HeatCell&) const = default;
};

/// The whole matrix at one resolution: cell (i, j) sums positions i x block .. (i + 1) x block - 1
/// against those of j. Cells by row and column, none without bytes and messages.
struct HeatLevel {
  std::uint32_t block = 1;  ///< ranks along a cell
  std::uint32_t side = 0;   ///< cells along the matrix: ranks / block, rounded up
  std::vector<HeatCell> cells;
};

/// A matrix and the order in which it is seen. All of the same ranks; what is referred to must
/// outlive this.
struct HeatSource {
  const TrafficMatrix& bytes;
  const TrafficMatrix* messages = nullptr;  ///< null: not known
  const RankAxis& axis;
  const MachineLevels* levels = nullptr;  ///< null: no machine
  const Mapping* mapping = nullptr;       ///< with `levels`
};

/// How long a cell is where it is written as five numbers, each with a comma.
std::uint64_t text_bytes(const HeatCell& cell);

/// Sums all cells of blocks of `block` >= 1 ranks. Nothing where they would take more than
/// `most_text_bytes` (looked at while summing: what is too large costs little), or more than 2^20
/// cells lie along a side. O(entries + cells log cells); the totals of both matrices must fit 64
/// bits.
std::optional<HeatLevel> heat_level(const HeatSource& source, std::uint32_t block,
                                    std::uint64_t most_text_bytes);

}  // namespace kith
