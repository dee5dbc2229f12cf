// A graph in k parts of exact sizes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mapping/multilevel/bisect.hpp"

namespace kith::multilevel {

/// The part of each vertex: part p has sizes[p] ranks, exactly where all vertices are single ranks.
/// Recursive bisection, then pairs of parts are refined until none gains. Precondition: the sizes
/// add up to the graph's. Where the budget ends it, sizes are off.
std::vector<std::uint32_t> multisect(const WorkGraph& graph, std::span<const std::uint64_t> sizes,
                                     const Trials& trials, Rng& rng, Budget* budget);

}  // namespace kith::multilevel
