// The best mapping there is, for a handful of ranks.
#pragma once

#include <cstdint>
#include <optional>

#include "kith/mapper.hpp"
#include "mapping/budget.hpp"

namespace kith::exact {

struct ExactAnswer {
  Mapping mapping;
  /// Proven: no mapping that the options allow has a lower objective; where moves count
  /// (MapOptions::from), with what they cost, or as low a one and fewer moves.
  bool is_optimal = false;
};

/// Branch and bound from `start`, a mapping that the options allow: at most so many steps, one of
/// the budget's tests each. Rank after rank, those with most traffic to the ranks before first,
/// gets each slot that is not like another one. A branch ends where its sum, with what each rank
/// left costs at least on its best slot, can no longer win: to the ranks in place as it is, to the
/// others half of what their weights cost on the slots nearest to it (Gilmore, 1962; Lawler, 1963).
/// The answer is never worse than `start`.
///
/// Nothing where the problem is not small (12 ranks; 128 slots, of trees after those that no rank
/// could need), where the goal is no sum over pairs, `least` comes together with fixed ranks, or
/// sums might exceed 62 bits.
std::optional<ExactAnswer> search_exactly(const MapTask& problem, const Mapping& start,
                                          std::uint64_t most_steps);

}  // namespace kith::exact
