// Ranks with places in space on trees that nothing divides evenly: boxes with steps.
#pragma once

#include "kith/mapper.hpp"
#include "mapping/tiling/rank_space.hpp"

namespace kith::tiling {

/// How ranks that are fewer than the slots are spread over the objects of a level.
enum class Filling {
  packed,  ///< as many in each as it holds, the largest objects first
  even     ///< in as few objects, alike in each
};

/// Each object's ranks are cut into those of its children by planes, slabs first, then columns,
/// then blocks; of the likeliest ways the one that cuts the least traffic. Any machine; what
/// objects it has SlotTree says. `space` has the problem's ranks. The more edges the fewer ways are
/// tried: O(ranks x log + edges) each. Where the budget's time is up, the ranks of an object are
/// cut in the order in which they then are.
Mapping split_on_tree(const MapProblem& problem, const RankSpace& space, Filling filling);

}  // namespace kith::tiling
