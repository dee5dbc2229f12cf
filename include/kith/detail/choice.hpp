// Which of the free nodes a job should get: for the scheduler, before the job starts.
#pragma once

#include <cstdint>
#include <vector>

#include "kith/mapper.hpp"

namespace kith {

/// A node that was chosen and how many ranks it gets.
struct ChosenNode {
  std::uint32_t node = 0;
  std::uint32_t ranks = 0;
};

struct ChoiceResult {
  MapResult result;               ///< on slots of the whole machine
  std::vector<ChosenNode> nodes;  ///< ascending, without idle ones
  std::size_t tried = 0;          ///< sets of nodes that were mapped to
};

/// Chooses as few nodes as hold all ranks, near to each other and to the nodes of fixed ranks, and
/// maps to them: several sets are grown around nodes all over the machine, each next node the one
/// nearest to all before by what the objective charges; on grids there is a box beside them. The
/// algorithm maps to the nearest-knit sets, and to the first nodes of the machine where they are as
/// few, and the lowest objective wins. (TopoMatch section 4.6.3 leaves the choice
/// to its constraints; nodes are allocated whole, so here the nodes come first.)
/// Throws Error (input) as map_ranks() does. A time or work limit is shared by the sets.
ChoiceResult map_to_chosen_nodes(const Algorithm& algorithm, const MapProblem& problem);

}  // namespace kith
