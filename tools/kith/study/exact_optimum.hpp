// The best mapping there is, by trying all: for a handful of ranks.
#pragma once

#include "kith/mapper.hpp"

namespace kith::tools {

/// The least objective of all mappings with at most one rank on a slot, and the first mapping found
/// that has it. Of slots that a permutation of the machine cannot tell apart only one is tried, and
/// a branch ends where it can no longer win; distances come from the machine alone, sums are made
/// here. Meant for up to 9 ranks and some 20 slots. Throws Error (input) beyond 64 bits.
struct Optimum {
  Mapping mapping;
  std::uint64_t objective = 0;
};
Optimum exact_optimum(const MapProblem& problem);

}  // namespace kith::tools
