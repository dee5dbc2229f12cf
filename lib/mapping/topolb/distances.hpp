// Distances in rows, and their sums.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kith/machine.hpp"
#include "kith/objective.hpp"

namespace kith::topolb {

/// What the objective charges between `from` and each of `to`. O(length of `to`).
void distances_from(const Machine& machine, Objective objective, Slot from,
                    std::span<const Slot> to, std::span<std::uint64_t> out);

struct DistanceSums {
  std::vector<std::uint64_t> of;  ///< of each of the slots, the sum of its distances to all of them
  std::uint64_t longest = 0;      ///< no distance between two of them is longer
};

/// O(slots x depth) on trees, O(slots x dimensions + extents) on grids of single slots,
/// O(slots squared) elsewhere. Throws Error (input) when a sum exceeds 64 bits.
DistanceSums distance_sums(const Machine& machine, Objective objective,
                           std::span<const Slot> slots);

}  // namespace kith::topolb
