// Corresponding recursive bisections of tasks and places.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "mapping/published/geom/slot_space.hpp"

namespace kith {

/// Of each task dimension the place dimension that is cut along with it, or none.
using AxisMatch = std::vector<std::optional<unsigned>>;

Box box_around(const PointSet& points);

/// The place of each task: 0 .. tasks - 1, each once. As many places as tasks. Tasks are cut along
/// the longest dimension of the box around them (the first of equal ones), between two different
/// coordinates, as evenly as that allows, the larger part first; where all lie on one point, by
/// index. As many places go with the first part as it has tasks: those lowest in the matching
/// dimension, of equal ones the first; without a match in the longest dimension of their own box.
/// O(n log n) expected for grids; memory O(n).
std::vector<std::uint32_t> bisect_together(const PointSet& tasks, const PointSet& places,
                                           const AxisMatch& match);

}  // namespace kith
