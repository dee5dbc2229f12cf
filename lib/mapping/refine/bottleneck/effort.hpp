// How much the searches for lower bottlenecks may look at, and how long that takes.
#pragma once

#include <cstdint>
#include <vector>

#include "mapping/budget.hpp"
#include "mapping/refine/bottleneck/loads.hpp"

namespace kith::bottleneck {

/// Whether the goal has this as a largest load, which no sum over pairs tells.
bool is_bottleneck(const Goal::Term& term);

/// Loads that refine_bottlenecks() may look at. Where the time is limited, several searches have to
/// fit into it.
std::uint64_t most_visits(const MapTask& problem);

/// Loads that the annealing in anneal_bottlenecks() may look at. Ranks that wait for a fast answer
/// gain little by more, and where time is limited an annealing that is cut while it is hot gains
/// nothing.
std::uint64_t annealing_visits(const MapTask& problem);

/// What it takes to look at a step, in loads looked at.
std::uint64_t visits_of(const MapTask& problem, const BottleneckStep& step,
                        const std::vector<Change>& changes);

}  // namespace kith::bottleneck
