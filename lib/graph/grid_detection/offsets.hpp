// The steps from a grid point to those around it, up to two along each dimension.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "graph/grid_detection/grid_candidate.hpp"

namespace kith {

using Offset = std::array<int, max_grid_dimensions>;

/// Numbers the offsets of a grid. An offset and its inverse are one: they join the same pairs.
class Offsets {
 public:
  static constexpr int reach = 2;
  static constexpr std::uint32_t far = UINT32_MAX;  ///< beyond the reach

  Offsets(std::vector<std::uint32_t> extents, std::vector<bool> periodic);

  std::size_t count() const { return pairs_.size(); }
  /// From one point to another.
  std::uint32_t between(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) const;
  /// How many pairs of points lie so; 0 for numbers that stand for nothing in this grid.
  std::uint64_t pairs(std::uint32_t offset) const { return pairs_[offset]; }
  Offset steps(std::uint32_t offset) const;
  std::uint32_t of(const Offset& steps) const { return canonical_[number(wrapped(steps))]; }

 private:
  std::uint32_t number(const Offset& steps) const;
  Offset wrapped(Offset steps) const;
  std::uint64_t pairs_of(const Offset& steps) const;

  std::vector<std::uint32_t> extents_;
  std::vector<bool> periodic_;
  std::vector<std::uint32_t> canonical_;  ///< by number: itself or its inverse
  std::vector<std::uint64_t> pairs_;
};

}  // namespace kith
