// Simulated annealing of a mapping.
#pragma once

#include <cstdint>

#include "kith/mapper.hpp"
#include "mapping/budget.hpp"

namespace kith {

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

}  // namespace kith
