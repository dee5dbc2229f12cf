// A grid of ranks and what travels between its places.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "kith/structure.hpp"
#include "kith/traffic.hpp"

namespace kith::tiling {

inline constexpr std::size_t most_dimensions = 4;
using Place = std::array<std::uint32_t, most_dimensions>;

/// Steps from a rank to one of its partners, and the mean weight of such a pair.
struct Displacement {
  std::array<int, most_dimensions> steps{};
  double weight = 0;
};

struct TaskGrid {
  unsigned dimensions = 0;  ///< in use; further extents are 1
  Place extents{1, 1, 1, 1};
  std::array<bool, most_dimensions> periodic{};
  std::vector<Place> place_of;              ///< by rank
  std::vector<Displacement> displacements;  ///< one of each opposite two, at most two steps long
};

/// `structure` must be of `graph`, in at most most_dimensions. O(edges).
TaskGrid task_grid(const TrafficGraph& graph, const GridStructure& structure);

/// Pairs of places with these steps between them that lie in a block of so many places along each
/// dimension. A block as long as a periodic dimension closes it.
double pairs_inside(const TaskGrid& grid, const Displacement& displacement, const Place& block);

}  // namespace kith::tiling
