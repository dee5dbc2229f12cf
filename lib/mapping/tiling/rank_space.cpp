#include "mapping/tiling/rank_space.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace kith::tiling {

RankSpace rank_space(const TaskGrid& grid) {
  RankSpace space{grid.dimensions, grid.extents, grid.periodic, {}, grid.place_of};
  for (const Displacement& displacement : grid.displacements) {
    for (std::size_t d = 0; d < grid.dimensions; ++d) {
      space.density[d] += std::abs(displacement.steps[d]) * displacement.weight;
    }
  }
  return space;
}

RankSpace rank_space(const RankCoordinates& coordinates) {
  constexpr double longest = 32767;
  RankSpace space;
  space.dimensions = coordinates.dimensions;
  std::array<double, most_dimensions> lowest{};
  std::array<double, most_dimensions> length{};
  for (unsigned d = 0; d < space.dimensions; ++d) {
    double highest = coordinates.ranks() == 0 ? 0 : coordinates.of(0)[d];
    lowest[d] = highest;
    for (std::uint32_t r = 0; r < coordinates.ranks(); ++r) {
      lowest[d] = std::min(lowest[d], coordinates.of(r)[d]);
      highest = std::max(highest, coordinates.of(r)[d]);
    }
    length[d] = highest - lowest[d];
  }
  const double most = *std::ranges::max_element(length);
  const double scale = most > 0 && std::isfinite(most) ? longest / most : 0;
  space.place_of.resize(coordinates.ranks());
  for (unsigned d = 0; d < space.dimensions; ++d) {
    space.extents[d] = static_cast<std::uint32_t>(std::lround(length[d] * scale)) + 1;
    for (std::uint32_t r = 0; r < coordinates.ranks(); ++r) {
      const double at = (coordinates.of(r)[d] - lowest[d]) * scale;
      space.place_of[r][d] = static_cast<std::uint32_t>(std::lround(at));
    }
  }
  return space;
}

}  // namespace kith::tiling
