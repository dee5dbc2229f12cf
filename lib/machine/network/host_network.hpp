// Hosts, their names, the network between them, and the text file that describes it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "kith/detail/job.hpp"
#include "kith/machine.hpp"
#include "machine/network/node_list.hpp"

namespace kith {

class LineReader;

/// A tree of switches with hosts as its leaves, all at one depth.
struct HostNetwork {
  struct Host {
    std::string name;
    std::vector<std::string> switches = {};  ///< top down, one per network.levels[1..]
    std::uint32_t slots = 1;
    bool slots_given = false;  ///< whether the source said how many; more than 1 counts as said
  };
  std::vector<Host> hosts;
  JobNetwork network;
};

/// Reads a network file:
///
///     level NAME [cost=PS] [latency=US] [bandwidth=MBPS] [burst=BYTES] [overhead=US]
///     HOST [slots=N] [SWITCH...]
///
/// '#' begins a comment. Levels stand top down: those between hosts first, from where all hosts
/// meet to the lowest switches, then "level host" and what is inside a host. Between hosts
/// there is no level, or one for each layer of switches and one above. A host names its switches
/// from the nearest up, all equally many. cost: whole picoseconds a byte takes; latency:
/// microseconds; bandwidth: megabytes per second; both one way; burst: what passes at once after a
/// pause, where something holds the network to its bandwidth by a token bucket; overhead: of a
/// small send, its sender's time. In the answer the layers at the top are gone whose one switch
/// holds all hosts: there the hosts meet, so it is the network. Throws Error (input) with
/// FILE:LINE, what was expected and found.
HostNetwork read_network_file(const std::filesystem::path& path);
HostNetwork read_network_file(LineReader& in);

/// The text of such a file: what read_network_file() reads back unchanged.
std::string network_file_text(const HostNetwork& network);

/// Takes the layers at the top away whose one switch holds all hosts, each with the level above it.
void drop_common_switches(HostNetwork& network);

/// Levels without costs for `layers` layers of a kind: "network", ..., "switch2", "switch".
std::vector<LevelCost> unmeasured_levels(std::size_t layers, std::string_view kind = "switch");

/// Finds a host in a list: under its very name, else by the part before the first dot where that
/// tells it from all others ("n1" and "n1.cluster.org" may be one host). Addresses such as 10.0.0.1
/// have no such part. Of equal names the first counts.
class HostNames {
 public:
  explicit HostNames(std::span<const std::string> names);
  std::optional<std::size_t> find(std::string_view name) const;

 private:
  static constexpr std::size_t several = SIZE_MAX;
  std::unordered_map<std::string, std::size_t> whole_;
  std::unordered_map<std::string, std::size_t> short_;
};

// A network put between the hosts of a job.

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
