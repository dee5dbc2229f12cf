// Scotch's mapping of any traffic onto any machine, made exact.
#pragma once

#include <string_view>

#include "kith/mapper.hpp"
#include "mapping/budget.hpp"

namespace kith::scotch {

/// What the setting `strategy` takes.
inline constexpr std::string_view strategy_values =
    "usual (the best of some), bipartition, quality, speed, balance, safety or a strategy in "
    "Scotch's own words";

/// How to search.
struct Search {
  /// "bipartition" is bipartition_strategy() with a tolerance of 1%; "quality", "speed", "balance"
  /// and "safety" are Scotch's own; "usual" takes the best of bipartitions with several tolerances
  /// and, on machines that are no trees, of Scotch's own; anything else is a strategy string.
  std::string_view strategy = "usual";
  /// Up to most_ranks_of_tries: so many times with different seeds, the best is kept.
  unsigned tries = 1;
};
inline constexpr unsigned max_tries = 1000;
inline constexpr std::uint32_t most_ranks_of_tries = 2048;

/// At most `capacity` ranks on a slot: idle vertices fill up the places, and place_surplus() puts
/// right what Scotch leaves uneven. Where there are more slots than ranks, those are tried that are
/// close to each other; where there are not more than twice as many, all of them as well. On
/// networks with several slots to a node the nodes are chosen first and then, on each, the slots.
/// Scotch runs in a child process: when the time of the budget is up, the best mapping so far is
/// returned, before the first one the identity. Throws Error: (input) for a strategy that Scotch
/// does not understand, (environment) when Scotch crashes or fails.
Mapping map_with_scotch(const MapTask& problem, const Search& search);

}  // namespace kith::scotch
