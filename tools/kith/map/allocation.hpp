// The hosts that a batch system has given to this shell.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/launch/seating.hpp"

namespace kith::tools {

struct Allocation {
  std::string source;              ///< the variable that names them
  std::vector<std::string> hosts;  ///< may repeat
};

/// From SLURM_JOB_NODELIST, PBS_NODEFILE or LSB_HOSTS, the first that is set; nothing outside of a
/// batch job. Throws Error (input) for a list that is none.
std::optional<Allocation> present_allocation();

/// What is wrong with starting `seating` here: hosts that the present allocation does not hold
/// (names may have a domain or not), or that its list cannot be read; empty: nothing.
std::string allocation_warning(const Seating& seating);

}  // namespace kith::tools
