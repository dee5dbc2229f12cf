// The assignment of least cost.
#pragma once

#include <cstdint>
#include <vector>

#include "objective/wide.hpp"

namespace kith {

/// cost is n x n, row-major. The column of each row so that the sum of costs is least; O(n^3), the
/// Hungarian method with potentials (Kuhn 1955, Jonker and Volgenant 1987). Deterministic.
std::vector<std::uint32_t> least_assignment(const std::vector<SignedWide>& cost, std::uint32_t n);

}  // namespace kith
