// Ranks divided among the objects of a tree, level by level.
#pragma once

#include <optional>

#include "kith/detail/tree_machine.hpp"
#include "kith/mapper.hpp"
#include "mapping/budget.hpp"
#include "mapping/multilevel/trials.hpp"

namespace kith::multilevel {

/// Divides the ranks of each object among its children so that as little as possible is sent
/// between them, from the root down. Objects are filled from left to right where there are more
/// places than ranks. `budget` (may be null) pays for each rank or group moved on trial; nothing
/// where it is exhausted before the end.
std::optional<Mapping> multisect_tree(const MapTask& problem, const TreeMachine& tree,
                                      const Trials& trials, std::uint64_t seed, Budget* budget);

}  // namespace kith::multilevel
