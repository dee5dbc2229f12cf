// What Slurm knows of a cluster's network: topology.conf, topology.yaml.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/line_reader.hpp"
#include "machine/network/host_network.hpp"

namespace kith {

/// A SwitchName= or BlockName= entry: hostlists not yet expanded.
struct SwitchEntry {
  std::string name;
  std::string switches;  ///< of the tree plugin: what hangs below it
  std::string nodes;
  std::string file;  ///< where it stands
  std::size_t line = 0;
};

/// The tree plugin's entries as a network. `file` is its source. A switch or node that several
/// switches list hangs on the first of them; hosts that hang higher than others get their switch
/// once more in the layers below. Throws Error (input) with FILE:LINE for a switch that is missing,
/// twice there, or above itself.
HostNetwork network_of_switches(const std::vector<SwitchEntry>& entries, const std::string& file);

/// The block plugin's: blocks in the order of the file, joined to larger ones as `sizes` (nodes,
/// ascending, the first that of a base block; may be empty) says.
HostNetwork network_of_blocks(const std::vector<SwitchEntry>& entries,
                              const std::vector<std::uint64_t>& sizes, const std::string& file);

/// Whether Slurm takes `size` behind `sizes`: larger than these, and the first one times a power
/// of two.
bool is_next_block_size(const std::vector<std::uint64_t>& sizes, std::uint64_t size);
inline constexpr std::string_view expected_block_sizes =
    "ascending block sizes such as 4,16, each the first times a power of two";

/// topology.conf: tree or block plugin. "Include FILE" reads another file; relative names are
/// relative to the folder of the file that has the line. Throws Error (input).
HostNetwork read_topology_conf(LineReader& in);

/// topology.yaml (Slurm 25.05): of its topologies the first with cluster_default: true, else the
/// first. A flat one has no hosts and no levels. Throws Error (input; environment where Kith was
/// built without yaml-cpp).
HostNetwork read_topology_yaml(LineReader& in);

/// What a file of hosts is, by its first words, which stay unread: it may be a pipe.
enum class NetworkFormat { network_file, topology_conf, topology_yaml };
NetworkFormat network_format_of(LineReader& in);

/// Any of the three. Throws Error (input).
HostNetwork read_any_network(const std::filesystem::path& path);

/// The network of one address per host, as Slurm tells each node its own in SLURM_TOPOLOGY_ADDR
/// ("core.leaf3.node17") with the kinds of its parts in SLURM_TOPOLOGY_ADDR_PATTERN
/// ("switch.switch.node"). Hosts as many and in the order of `names`. One without an address, or
/// with a pattern unlike the first one's, hangs alone on the root. Levels stay empty where the
/// pattern says nothing ("node").
struct HostAddress {
  std::string address;
  std::string pattern;
};
HostNetwork network_of_addresses(const std::vector<std::string>& names,
                                 const std::vector<HostAddress>& addresses);

}  // namespace kith
