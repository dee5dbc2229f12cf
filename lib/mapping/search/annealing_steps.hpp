// Steps of a search that anneal.
#pragma once

#include <cstdint>
#include <vector>

#include "kith/mapper.hpp"
#include "mapping/search/search.hpp"

namespace kith {

/// The mapping annealed, then swaps for a fifth as long.
Mapping annealed(const MapProblem& problem, Mapping mapping, std::uint64_t tests_per_rank,
                 std::uint64_t seed);
/// What that takes.
double annealed_seconds(const MapProblem& problem, std::uint64_t tests_per_rank);

/// Anneals the best so far.
Step annealing(const MapProblem& problem, std::uint64_t tests_per_rank);

/// For problems so small that all else has been tried: random orders, each annealed.
void append_restarts(const MapProblem& problem, std::uint64_t tests_per_rank,
                     std::vector<Step>& steps);

}  // namespace kith
