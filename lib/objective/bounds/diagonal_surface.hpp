// The least surface of a set of grid points by steps along axes and diagonals.
#pragma once

#include <cstdint>

#include "objective/bounds/isoperimetry.hpp"

namespace kith::bounds {

/// Of `points` points of an open grid of 2 or 3 dimensions (0 for others), `longer` not counted; no
/// set has less. About points^2 steps up to 2048 points, then little more.
std::uint64_t diagonal_surface(const GridStencil& stencil, std::uint64_t points);

}  // namespace kith::bounds
