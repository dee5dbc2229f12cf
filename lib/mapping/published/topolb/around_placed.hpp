// Placing ranks around those that are placed: the search of TopoCentLB.
#pragma once

#include <vector>

#include "kith/mapper.hpp"
#include "mapping/published/topolb/cheapest.hpp"

namespace kith::topolb {

/// What the paper leaves open; see topocentlb.cpp.
struct CentralChoices {
  bool central_first = false;
  SlotOrder cheapest = SlotOrder::ascending;
};

/// The slot of each task, one on each; there are at least as many allowed slots. Costs are the
/// problem's objective. When the budget is spent, what is left goes to the lowest free slots. Time
/// O(slots x pairs), on grids of single slots O(square root of the slots x pairs).
std::vector<Slot> place_around_placed(const TrafficGraph& tasks, const MapProblem& problem,
                                      const CentralChoices& choices);

}  // namespace kith::topolb
