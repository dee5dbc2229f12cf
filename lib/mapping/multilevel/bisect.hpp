// Multilevel bisection with exact sizes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/rng.hpp"
#include "mapping/budget.hpp"
#include "mapping/multilevel/trials.hpp"
#include "mapping/multilevel/work_graph.hpp"

namespace kith::multilevel {

/// A side, 0 or 1, for each vertex: those on side 0 are `size_of_0` ranks, exactly where all
/// vertices are single ranks, else as nearly as was found. Where the budget ends it, the sizes are
/// off too.
std::vector<std::uint8_t> bisect(const WorkGraph& graph, std::uint64_t size_of_0,
                                 const Trials& trials, Rng& rng, Budget* budget = nullptr);

}  // namespace kith::multilevel
