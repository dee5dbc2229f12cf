// A referee for searches that lower the busiest link: plain annealing that knows nothing of them.
#pragma once

#include <cstdint>

#include "kith/mapper.hpp"

namespace kith::bench {

/// Simulated annealing of the sum over links of (time busy)^16, which falls with the largest; of
/// two ranks that change places, one mostly comes near to a neighbour. Starts from `mapping`, tests
/// so many swaps, and returns the best mapping that it passed by, `mapping` at worst. One rank a
/// slot.
Mapping anneal_links(const MapProblem& problem, const Mapping& mapping, std::uint64_t swaps,
                     std::uint64_t seed, double most_seconds);

}  // namespace kith::bench
