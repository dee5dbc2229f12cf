// A network put between the hosts of a job.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "kith/machine.hpp"
#include "machine/network/host_network.hpp"
#include "machine/network/node_list.hpp"

namespace kith {

/// Gives `job` the network: its levels, and each host its switches, by name. Hosts that the network
/// does not name hang alone on the root; the answer says in one sentence which, and is empty when
/// all are named or the network names no hosts at all. Where it names none of the job's, the job
/// keeps one level.
std::string put_between_hosts(const HostNetwork& network, JobDescription& job);

/// Of each listed node its allowed slots, or the first so many. Nodes are found by the machine's
/// names for them (HostNames); where it has none by number, "7" or "node7". Throws Error (input),
/// naming `option`, for a node that the machine does not have and for more slots than it has.
SlotSet slots_of_nodes(const Machine& machine, std::span<const NodeCount> nodes,
                       std::string_view option);

}  // namespace kith
