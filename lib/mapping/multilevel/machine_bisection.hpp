// Ranks and slots divided together, two parts at a time.
#pragma once

#include <cstdint>
#include <optional>

#include "kith/mapper.hpp"
#include "mapping/budget.hpp"
#include "mapping/multilevel/trials.hpp"

namespace kith::multilevel {

/// Dual recursive bipartitioning (Pellegrini, Roman: "Scotch: A Software Package for Static Mapping
/// by Dual Recursive Bipartitioning", HPCN 1996) with our own bisection: all regions of one depth
/// are divided before the next, and each rank is drawn to where its partners in other regions are.
/// Any machine. Of many more slots than are needed close ones are taken (see close_slots.hpp);
/// regions are filled one after the other where there are more places than ranks.
/// Each bisection takes as many units of work as its part has ranks and edges from `budget` (null:
/// unlimited). Nothing where the budget did not last: half a division is no mapping.
std::optional<Mapping> bisect_machine(const MapProblem& problem, const Trials& trials,
                                      std::uint64_t seed, Budget* budget);

}  // namespace kith::multilevel
