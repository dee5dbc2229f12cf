// The steps of Kith's own search plan: quick start, multilevel, refinement, annealing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kith/mapper.hpp"
#include "mapping/budget.hpp"
#include "mapping/search/search.hpp"

namespace kith {

struct OwnSteps {
  std::vector<Step> steps;
  std::size_t at_least = 0;  ///< of them, whatever they cost
};

/// A division and its refinement, then more divisions, heavier ones, and refinement of the best.
/// Where even one division would cost too much for an effort of fast, swaps come first.
OwnSteps own_steps(const MapTask& problem);

// Steps of a search that anneal.

/// The mapping annealed, then swaps for a fifth as long.
Mapping annealed(const MapTask& problem, Mapping mapping, std::uint64_t tests_per_rank,
                 std::uint64_t seed);
/// What that takes.
double annealed_seconds(const MapTask& problem, std::uint64_t tests_per_rank);

/// Anneals the best so far.
Step annealing(const MapTask& problem, std::uint64_t tests_per_rank);

/// For problems so small that all else has been tried: random orders, each annealed.
void append_restarts(const MapTask& problem, std::uint64_t tests_per_rank,
                     std::vector<Step>& steps);

/// ChoiceMap, on any machine: poor, but several times cheaper than a division.
Step quick_start(const MapTask& problem);

}  // namespace kith
