// Distances in rows, and their sums.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kith/machine.hpp"
#include "kith/objective.hpp"
#include "objective/distance.hpp"

namespace kith::topolb {

/// What the objective charges between `from` and each of `to`. O(length of `to`).
void distances_from(const Machine& machine, Objective objective, Slot from,
                    std::span<const Slot> to, std::span<std::uint64_t> out);

/// From each of some places to all of them.
struct DistanceSums {
  std::vector<std::uint64_t> of;
  std::uint64_t longest = 0;  ///< no distance between two of them is longer
};

/// Between leaves of a tree. O(slots x depth). Throws Error (input) when a sum exceeds 64 bits.
DistanceSums sums_on_tree(const TreeDistance& distance, std::span<const Slot> slots);

/// On an axis, or a ring where periodic, on which `having[x]` slots are at x: from each x, the sum
/// of the distances to all of them. O(length).
std::vector<std::uint64_t> sums_along(const std::vector<std::uint64_t>& having, bool periodic);

// The result of a search for the slot where something costs least.

/// How the allowed slots are indexed here: 0 is the lowest of them, or the highest.
enum class SlotOrder { ascending, descending };

/// Least cost on any free slot, and the slot of lowest index that has it.
template <class Value>
struct Cheapest {
  Value cost = 0;
  std::uint32_t slot = 0;  ///< index among all allowed slots
};

}  // namespace kith::topolb
