// Ranks divided among the objects of a tree, level by level.
#pragma once

#include "kith/mapper.hpp"
#include "kith/tree_machine.hpp"
#include "mapping/multilevel/trials.hpp"

namespace kith::multilevel {

/// Divides the ranks of each object among its children so that as little as possible is sent
/// between them, from the root down. Objects are filled from left to right where there are more
/// places than ranks.
Mapping multisect_tree(const MapProblem& problem, const TreeMachine& tree, const Trials& trials,
                       std::uint64_t seed);

}  // namespace kith::multilevel
