// Ranks whose slot the user, or the job, has decided.
#pragma once

#include <span>

#include "kith/mapper.hpp"
#include "mapping/budget.hpp"

namespace kith {

/// Throws Error (input): a rank or slot that does not exist, a slot that is not allowed, a rank on
/// two slots, more ranks on a slot than its capacity.
void check_fixed_ranks(const MapTask& problem);

/// Whether each fixed rank is on its slot.
bool keeps_fixed_ranks(const Mapping& mapping, std::span<const FixedRank> fixed);

/// Puts each fixed rank on its slot. In a tree, whole subtrees of equal shape change places where
/// no fixed rank is in the way, which costs nothing; else the rank moves, or changes places with
/// the rank there that loses least. Precondition: check_fixed_ranks() passed.
Mapping place_fixed_ranks(const MapTask& problem, Mapping mapping);

}  // namespace kith
