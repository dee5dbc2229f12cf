// A grid of ranks, what travels between its places, and the boxes that tile it.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "kith/detail/structure.hpp"
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

// A grid divided into boxes of boxes.

/// A level of a tree with several children, top down: what two ranks pay that part there.
struct Branching {
  std::uint32_t arity = 1;
  double cost = 0;
};

/// The extents of the boxes of each level's children, top down, so that boxes of one level are
/// equal and divide those of the level above. Of all such divisions the cheapest: a level's boxes
/// save, for the traffic inside them, the difference between its cost and the next one's, so that
/// dynamic programming over their extents finds the best. Nothing where the extents cannot be
/// divided so. The arities' product must be the grid's size.
std::optional<std::vector<Place>> best_boxes(const TaskGrid& grid,
                                             const std::vector<Branching>& levels);

/// The number of a place among the smallest boxes, in the order of a tree's leaves.
std::uint64_t leaf_of(const TaskGrid& grid, const Place& place, const std::vector<Place>& boxes);

/// Weight between places of one box, all boxes of these extents together.
double weight_inside(const TaskGrid& grid, const Place& box);

/// Calls `visit` with all ways to write `product` as factors that divide `room`, one per dimension.
void for_each_factorisation(std::uint32_t product, const Place& room,
                            const std::function<void(const Place&)>& visit);

}  // namespace kith::tiling
