// A grid divided into boxes of boxes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "mapping/tiling/task_grid.hpp"

namespace kith::tiling {

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
