// Lowers objectives that are not sums over pairs: the busiest link, the maximum pair cost, mixes.
#pragma once

#include "kith/mapper.hpp"
#include "mapping/budget.hpp"

namespace kith {

/// Improves `mapping` in what options.goal says, which must be given. Never worse than before in
/// value_of(); deterministic; fixed ranks stay, capacity and options.least are kept.
///
/// A large load is attacked by steps (swaps, moves to free slots) of the ranks that make it, that
/// lower it and lift no other to where it was: so the loads, sorted, fall lexicographically,
/// plateaus are left, and it ends. Of those steps the one that costs least in options.objective is
/// taken. Where none is left, steps that lower options.objective and lift no load to the maximum
/// make room, then random exchanges that are undone where they do not pay. A mix is the best that
/// is met on the way. A test costs O(degree x length of routes); the effort limits them.
Mapping refine_bottlenecks(const MapTask& problem, Mapping mapping);

/// What one call takes at most, roughly, from sizes and the effort alone; 0 without options.goal.
double bottleneck_seconds(const MapTask& problem);

}  // namespace kith
