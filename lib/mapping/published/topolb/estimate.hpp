// Algorithm 1 of TopoLB: the next task is the one for which its place matters most.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "kith/mapper.hpp"
#include "mapping/budget.hpp"

namespace kith::topolb {

/// How far away a task that has no place yet is taken to be (section 4.3).
enum class Order {
  first,   ///< not at all: only placed tasks count
  second,  ///< on any slot of the machine
  third,   ///< on any slot that is still free
};

struct Estimation {
  Order order = Order::second;
  /// Algorithm 1 prints n - k as the divisor of its average, one less than there are free slots.
  bool printed_divisor = false;
  std::string_view algorithm = "topolb";  ///< whose name errors say
  /// Entries of the table that may be looked at, about 1 ns each; if they do not suffice there is
  /// no answer.
  std::uint64_t most_effort = std::numeric_limits<std::uint64_t>::max();
};

/// The slot of each task, one on each, or nothing beyond `most_effort`; there are at least as many
/// allowed slots. Costs are the problem's objective. When the budget is spent, what is left goes to
/// the lowest free slots. Throws Error (input) when the table of estimates would exceed 4 GB, or
/// weights and distances 128 bits. Time O(slots x pairs) and, third order, O(slots x tasks squared)
/// at worst; memory: free slots x unplaced tasks with placed neighbours.
std::vector<Slot> place_by_estimate(const TrafficGraph& tasks, const MapTask& problem,
                                    Estimation estimation);

}  // namespace kith::topolb
