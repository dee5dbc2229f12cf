// Ways to cut a box into parts of given sizes: slabs, columns of slabs, blocks of columns.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "mapping/tiling/task_grid.hpp"

namespace kith::tiling {

/// Along each of these dimensions in turn what the last one left is cut into so many pieces, which
/// need not be equal: together they hold all parts, about as many each.
struct Slicing {
  struct Cut {
    std::uint32_t dimension = 0;
    std::uint32_t pieces = 0;
  };
  std::array<Cut, most_dimensions> cuts{};
  unsigned depth = 0;   ///< cuts in use; the last one's pieces are single parts
  double estimate = 0;  ///< weight through the planes
};

/// The box to be cut.
struct SlicedBox {
  Place extents{1, 1, 1, 1};
  std::array<bool, most_dimensions> closed{};  ///< its ends are neighbours: one plane more
  std::array<double, most_dimensions> density{1, 1, 1, 1};  ///< weight through a unit of a plane
  double ranks = 0;                                         ///< in it
};

/// The `most` ways into `parts` >= 2 about equal parts that cut least, as far as plane areas tell;
/// the best first. Empty where all extents are 1.
std::vector<Slicing> likely_slicings(const SlicedBox& box, std::uint32_t parts, std::size_t most);

}  // namespace kith::tiling
