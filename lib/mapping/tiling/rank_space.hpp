// Where ranks lie, in whole numbers.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "kith/coordinates.hpp"
#include "mapping/tiling/task_grid.hpp"

namespace kith::tiling {

/// What a cut by planes needs to know of the ranks: a grid's places, or points rounded to a raster.
struct RankSpace {
  unsigned dimensions = 0;  ///< in use; further extents are 1
  Place extents{1, 1, 1, 1};
  std::array<bool, most_dimensions> periodic{};
  /// Weight through a unit of a plane across each dimension, in any unit.
  std::array<double, most_dimensions> density{1, 1, 1, 1};
  std::vector<Place> place_of;  ///< by rank
};

RankSpace rank_space(const TaskGrid& grid);

/// Of at most most_dimensions dimensions, all on one scale: the longest gets 2^15 places.
RankSpace rank_space(const RankCoordinates& coordinates);

}  // namespace kith::tiling
