// Pairwise swaps that lower the objective.
#pragma once

#include <cstdint>

#include "kith/mapper.hpp"
#include "mapping/budget.hpp"

namespace kith {

/// Improves `mapping` by swaps of two ranks and moves to free allowed slots until none of those
/// that it tries lowers problem.options.objective, with what moves away from options.from cost, or
/// the effort, time or work is used up; where options.goal is given, by refine_bottlenecks() that
/// too. Ranks named in options.fixed stay; capacity and options.least are kept. Never worse than
/// before; deterministic. Each test costs O(degree); a sweep tests the ranks whose surroundings
/// changed, against the places around their heaviest neighbours and the place in options.from.
/// `budget` null: unlimited.
Mapping refine_by_swaps(const MapTask& problem, Mapping mapping);

/// The same, whatever the effort: looks at so many neighbours at most, of some ten nanoseconds each
/// on trees and a hundred on networks. More of them continue the same way.
Mapping refine_by_swaps(const MapTask& problem, Mapping mapping, std::uint64_t most_visits);

}  // namespace kith
