// Cuts of a box into parts of given sizes: slabs, columns of slabs, blocks of columns.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "kith/detail/coordinates.hpp"
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

// Where ranks lie, in whole numbers.

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
