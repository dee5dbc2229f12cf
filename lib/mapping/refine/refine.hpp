// Improvement of a finished mapping: swaps, dense swaps, annealing, bottlenecks.
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

// Simulated annealing of a mapping.

/// How hot and how long.
struct Cooling {
  double from = 0.2;  ///< temperature at the start, in units of what a rank costs on average
  double to = 0.01;   ///< and at the end
  std::uint64_t tests_per_rank = 300;
};

/// Swaps of two ranks and moves to free slots, half of them near a partner's slot and half near the
/// rank's own; those that cost more are accepted with the probability exp(-more / temperature)
/// (Kirkpatrick, Gelatt, Vecchi: "Optimization by Simulated Annealing", Science 220, 1983), which
/// falls geometrically. Keeps what refine_by_swaps() keeps: fixed ranks, capacity, options.least.
/// Each test takes one unit of `budget` (null: unlimited) and O(degree) time. Deterministic by
/// `seed`. Not worse than `mapping`, which is the answer where the work ends in the heat: more of
/// it never makes the answer worse. Any machine.
Mapping anneal(const MapTask& problem, Mapping mapping, const Cooling& cooling, std::uint64_t seed,
               Budget* budget);

// Swaps of ranks that all talk to each other.

/// Whether refine_dense() can do anything: a tree, a rank on a slot at most, no fixed ranks, a
/// plain objective, and O(edges) memory for the weight between each rank and each object of the
/// tree.
bool can_refine_dense(const MapTask& problem);

/// Hill climbing by swaps of any two ranks, each tested in O(depth of the tree): what a rank sends
/// to each object is kept in a table, as in Kernighan and Lin, "An efficient heuristic procedure
/// for partitioning graphs" (1970), and a swap updates it in O(degree). Takes a unit of `budget`
/// (null: unlimited) a test, and `most_tests` at most, rounded up to all partners of a rank. Never
/// raises the objective. Only where can_refine_dense().
Mapping refine_dense(const MapTask& problem, Mapping mapping, std::uint64_t most_tests,
                     Budget* budget);

// Lowers objectives that are not sums over pairs: the busiest link, the maximum pair cost, mixes.

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

/// Simulated annealing of the largest loads and those near them, then refine_bottlenecks(). Never
/// worse than before in value_of(), but where it starts from problem.least_sum, as the mapping's
/// sum is far above that; deterministic.
Mapping anneal_bottlenecks(const MapTask& problem, Mapping mapping);

/// What refine_bottlenecks() and anneal_bottlenecks() take at most, roughly, from sizes and the
/// effort alone; 0 without options.goal.
double bottleneck_seconds(const MapTask& problem);
double bottleneck_annealing_seconds(const MapTask& problem);

}  // namespace kith
