// The rows of all ranks, brought to the root.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "record/row.hpp"
#include "runtime/team.hpp"

namespace kith::runtime {

/// A part of the run, closed by kith_checkpoint; what this rank sent in it.
struct Phase {
  std::string name;
  record::Row row;
};

/// What one rank recorded.
struct RankTraffic {
  record::Row total;
  std::vector<Phase> phases;  ///< same names in the same order on every rank
};

/// Collective over `team`: on the root the traffic of every rank of the program, by
/// `program_rank` (0 .. size-1, each once); elsewhere empty.
std::vector<RankTraffic> gather_traffic(Team& team, int program_rank, const RankTraffic& own);

}  // namespace kith::runtime
