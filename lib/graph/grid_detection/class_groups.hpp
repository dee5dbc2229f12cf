// Which classes of parallel edges belong to one dimension.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/grid_detection/parallel_edges.hpp"

namespace kith {

struct ClassGroups {
  std::vector<std::uint32_t> group_of;  ///< by class
  std::uint32_t groups = 0;
};

/// Classes of different dimensions cross, those of one do not. First the groups that follow when
/// that holds to the letter; then those of the majority, since a pair that does not talk leaves a
/// crossing out. None of more than `most` groups. O(classes x most + crossings).
std::vector<ClassGroups> group_classes(const ParallelEdges& parallel, std::size_t most);

}  // namespace kith
