// The least surface of few points on a grid, by steps along axes.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "objective/bounds/isoperimetry.hpp"

namespace kith::bounds {

/// Item n: the least sum over the dimensions of weight x lines that n points of an open grid hit
/// along it; an impossible number of points costs the most that fits. Pushed down along a
/// dimension, the points become layers of which each lies within the one below, and hit no more
/// lines: the lowest layer has one point on each line, and all layers are sets of one dimension
/// less. That is exact where such sets can be chosen one within the other. O(most x lines).
std::vector<std::uint64_t> layered_surfaces(
    unsigned dimensions, const std::array<std::uint32_t, most_dimensions>& extents,
    const std::array<std::uint64_t, most_dimensions>& weights, std::uint64_t most);

}  // namespace kith::bounds
