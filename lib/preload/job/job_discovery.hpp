// Where each rank runs: host and binding of each process, hardware of each host, the network
// between the hosts.
#pragma once

#include <optional>

#include "comm/private_comm.hpp"
#include "kith/detail/job.hpp"
#include "protocol/settings.hpp"

namespace kith::preload {

class Engine;

/// Before MPI_Init: lets the engine of the host's first process look at the hardware while MPI
/// starts. Does nothing elsewhere, nor where the launcher does not tell which process is the first.
void look_ahead_at_hardware(const Settings& settings, Engine& engine) noexcept;

/// Collective over `private_comm`. On the root the description of all its processes
/// (processes[i] is private communicator rank i, seen by the program as `program_rank` of that
/// process); elsewhere nothing. Each host's leader asks the engine process for the host's hardware,
/// once, and sends its digest; of equal hosts one sends the topology. Where it can't be told the
/// hardware's XML stays empty. The root asks the engine process for the network between hosts
/// (KITH_NETWORK, Slurm). Settings are the root's except for the budget. The root throws
/// std::runtime_error where its memory is too short.
std::optional<JobDescription> discover_job(PrivateComm& private_comm, int program_rank,
                                           const Settings& settings, Engine& engine);

}  // namespace kith::preload
