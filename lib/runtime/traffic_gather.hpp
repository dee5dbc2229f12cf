// The rows of all ranks, brought to the root.
#pragma once

#include <vector>

#include "runtime/rank_traffic.hpp"
#include "runtime/team.hpp"

namespace kith::runtime {

/// Collective over `team`: on the root the traffic of every rank of the program, by
/// `program_rank` (0 .. size-1, each once); elsewhere empty.
std::vector<RankTraffic> gather_traffic(Team& team, int program_rank, const RankTraffic& own);

}  // namespace kith::runtime
