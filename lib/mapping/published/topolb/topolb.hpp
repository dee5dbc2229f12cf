// The steps of TopoLB and TopoCentLB: distances, the order of the tasks, the estimate of a
// placement's cost.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "kith/machine.hpp"
#include "kith/mapper.hpp"
#include "kith/objective.hpp"
#include "mapping/budget.hpp"
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

// The partition phase of TopoLB: ranks become at most as many tasks as there are slots.

/// What is placed, one task on a slot.
struct Tasks {
  /// Traffic between tasks, divided by the greatest common divisor of all weights: choices compare
  /// sums of weights times distances, which that leaves as they are.
  TrafficGraph graph;
  std::vector<std::uint32_t> task_of;  ///< of each rank
};

/// Each rank is a task where they are not more than the slots. Otherwise one task for each slot,
/// ranks spread evenly: Scotch's recursive bipartitioning, mapping onto places that are all equally
/// far apart (the paper uses METIS or any other partitioner). Throws Error (input), in the name of
/// `algorithm`, for machines with too many slots to list them.
Tasks make_tasks(const MapTask& problem, std::string_view algorithm);

/// Ranks on the slots of their tasks.
Mapping mapping_of(const Tasks& tasks, const std::vector<Slot>& slot_of_task);

// Placing ranks around those that are placed: the search of TopoCentLB.

/// What the paper leaves open; see topocentlb.cpp.
struct CentralChoices {
  bool central_first = false;
  SlotOrder cheapest = SlotOrder::ascending;
};

/// The slot of each task, one on each; there are at least as many allowed slots. Costs are the
/// problem's objective. When the budget is spent, what is left goes to the lowest free slots. Time
/// O(slots x pairs), on grids of single slots O(square root of the slots x pairs).
std::vector<Slot> place_around_placed(const TrafficGraph& tasks, const MapTask& problem,
                                      const CentralChoices& choices);

// Algorithm 1 of TopoLB: the next task is the one for which its place matters most.

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
