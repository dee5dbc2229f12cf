// A grid that the traffic may have.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace kith {

inline constexpr std::size_t max_grid_dimensions = 4;

/// Each rank has a place of its own: positions are a permutation of the grid's points.
struct GridCandidate {
  std::vector<std::uint32_t> extents;
  /// ranks x dimensions, row-major, each below its extent.
  std::vector<std::uint32_t> positions;

  std::span<const std::uint32_t> of(std::uint32_t rank) const {
    return std::span(positions).subspan(std::size_t{rank} * extents.size(), extents.size());
  }
};

}  // namespace kith
