// The network between the hosts of a job, as the engine process finds it.
#pragma once

#include <string>
#include <vector>

#include "kith/job.hpp"
#include "protocol/settings.hpp"

namespace kith::runtime {

/// On the root: gives `job` its network, from KITH_NETWORK or from Slurm (addresses and patterns by
/// host: SLURM_TOPOLOGY_ADDR and SLURM_TOPOLOGY_ADDR_PATTERN there). What is wrong with it, or
/// which hosts it does not name, is a line on stderr, said once; then the network is one level, or
/// these hosts hang on its root. Throws std::bad_alloc.
void find_network(JobDescription& job, const std::vector<std::string>& addresses,
                  const std::vector<std::string>& patterns, const Settings& settings);

}  // namespace kith::runtime
