// Scotch's mapping of any traffic onto any machine, made exact.
#pragma once

#include <string_view>

#include "kith/mapper.hpp"

namespace kith::scotch {

/// What `--set strategy` takes.
inline constexpr std::string_view strategy_values =
    "usual (the best of some), bipartition, quality, speed, balance, safety or a strategy in "
    "Scotch's own words";

/// At most `capacity` ranks on a slot: idle vertices fill up the places, and place_surplus() puts
/// right what Scotch leaves uneven. Where there are more than twice as many slots as ranks, they
/// take slots that are close to each other. On networks with several slots to a node the nodes are
/// chosen first and then, on each, the slots.
///
/// `strategy`: "bipartition" is bipartition_strategy() with a tolerance of 1%; "quality", "speed",
/// "balance" and "safety" are Scotch's own; "usual" takes the best of bipartitions with several
/// tolerances and, on machines that are no trees, of Scotch's own; anything else is a strategy
/// string. Throws Error (input) for one that Scotch does not understand.
Mapping map_with_scotch(const MapProblem& problem, std::string_view strategy);

}  // namespace kith::scotch
