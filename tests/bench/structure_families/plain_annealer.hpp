// A long annealing that knows nothing of Kith's searches.
#pragma once

#include <cstdint>

#include "kith/mapper.hpp"

namespace kith::bench {

/// The best mapping that is met from a random order: half of the swaps and moves go near a
/// partner's slot, half anywhere; the temperature falls geometrically. One rank a slot.
Mapping anneal_plainly(const MapProblem& problem, std::uint64_t tests_per_rank, std::uint64_t seed);

}  // namespace kith::bench
