// A network put between the hosts of a job.
#pragma once

#include <string>

#include "machine/network/host_network.hpp"

namespace kith {

/// Gives `job` the network: its levels, and each host its switches, by name. Hosts that the network
/// does not name hang alone on the root; the answer says in one sentence which, and is empty when
/// all are named or the network names no hosts at all. Where it names none of the job's, the job
/// keeps one level.
std::string put_between_hosts(const HostNetwork& network, JobDescription& job);

}  // namespace kith
