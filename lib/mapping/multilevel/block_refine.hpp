// Pairs of a tree's objects, improved by exchanging ranks.
#pragma once

#include "kith/detail/tree_machine.hpp"
#include "kith/mapper.hpp"
#include "mapping/budget.hpp"
#include "mapping/multilevel/trials.hpp"

namespace kith::multilevel {

/// Exchanges ranks between any two objects whose children are slots (slots themselves where they
/// take several ranks) and that talk to each other, brothers or not, as refinement of a graph of
/// two sides with the objective's true gains: what the two pay to all others is the bias. Never
/// raises the objective, wherever `budget` (may be null) ends it.
Mapping refine_blocks(const MapTask& problem, const TreeMachine& tree, Mapping mapping,
                      const Trials& trials, Budget* budget);

}  // namespace kith::multilevel
