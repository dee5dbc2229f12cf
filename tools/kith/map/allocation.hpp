// The hosts that a batch system has given to this shell.
#pragma once

#include <string>

#include "io/launch/launch_file.hpp"

namespace kith::tools {

/// What is wrong with starting `seating` with `file` here: hosts that the present allocation
/// (SLURM_JOB_NODELIST, PBS_NODEFILE or LSB_HOSTS) does not hold, names with a domain or without;
/// hosts in another order than the file counts them in; a list that cannot be read. Empty: nothing,
/// or no batch job.
std::string allocation_warning(const Seating& seating, const LaunchFile& file);

}  // namespace kith::tools
