// The partition phase of TopoLB: ranks become at most as many tasks as there are slots.
#pragma once

#include <string_view>
#include <vector>

#include "kith/mapper.hpp"
#include "mapping/budget.hpp"
#include "mapping/published/topolb/distances.hpp"

namespace kith::topolb {

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

}  // namespace kith::topolb
