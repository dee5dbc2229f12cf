// Who sits where: each process's host and binding, each host's hardware.
#pragma once

#include <chrono>
#include <optional>

#include "kith/job.hpp"
#include "runtime/team.hpp"

namespace kith::runtime {

/// Collective over `team`. On the root the description of all its processes (processes[i] is team
/// rank i, seen by the program as `program_rank` of that process); elsewhere nothing. Each host's
/// leader asks the engine process for the host's hardware, once; where it can't tell, the
/// hardware's XML stays empty and the hosts' network alone is known.
std::optional<JobDescription> discover_job(Team& team, int program_rank,
                                           std::chrono::milliseconds budget);

}  // namespace kith::runtime
