// The engine's answer to "what lies between the hosts of this job?"
#pragma once

#include "protocol/exchange.hpp"

namespace kith::tools {

/// "file": KITH_NETWORK, may be empty; "job": the hosts (pack_job()); "addresses", "patterns": what
/// Slurm told each host. Without a file: the addresses, else topology.yaml or topology.conf where
/// Slurm keeps it, else nothing is known. Answers "job" with network and switches, and "note" where
/// some hosts are not named. Throws Error.
Exchange network_task(const Exchange& request);

}  // namespace kith::tools
