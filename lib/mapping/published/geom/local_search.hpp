// The local search of GSEARCH: swaps of two ranks that lower the objective.
#pragma once

#include <cstdint>
#include <limits>

#include "kith/mapper.hpp"
#include "mapping/budget.hpp"

namespace kith {

/// Which of the swaps that help is made.
enum class SwapChoice {
  first,           ///< the first one found
  best_of_higher,  ///< rank by rank, the best of those with a higher rank
  best_of_rank,    ///< rank by rank, the best of all that involve it
  best_of_all,     ///< the best of all pairs
};

/// 0.35 n + 20, rounded down: the limit that section IV-B finds to be enough.
std::uint64_t gsearch_swap_limit(std::uint32_t ranks);

struct SearchAccount {
  std::uint64_t swaps = 0;
  std::uint64_t tests = 0;  ///< of a swap's gain; the work done
  /// True where no swap of two ranks lowers the objective any further.
  bool local_optimum = false;
};

/// Swaps ranks of `mapping` until none helps, `most_swaps` are made or the budget is used up. Ranks
/// that MapOptions::fixed names stay. Ties go to the lowest rank, then to the lowest partner. Tests
/// whose outcome is known, because neither rank nor a neighbour of theirs has moved since, are left
/// out, which changes no choice. Memory O(ranks).
SearchAccount search_swaps(const MapTask& problem, Mapping& mapping, SwapChoice choice,
                           std::uint64_t most_swaps = std::numeric_limits<std::uint64_t>::max());

}  // namespace kith
