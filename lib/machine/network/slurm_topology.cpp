#include "machine/network/slurm_topology.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "core/line_reader.hpp"
#include "core/parse_number.hpp"
#include "machine/network/node_list.hpp"

namespace kith {
namespace {

constexpr std::size_t max_slurm_layers = 32;

/// Expands the hostlists of one topology, all together within the bound for one list.
class Expander {
 public:
  std::vector<std::string> operator()(const std::string& list, const SwitchEntry& entry) {
    if (list.empty()) return {};
    auto names = expand_hostlist(list, entry.file + ":" + std::to_string(entry.line), left_);
    left_ -= names.size();
    return names;
  }

 private:
  std::uint64_t left_ = max_listed_nodes;
};

Error error_at(const SwitchEntry& entry, std::string_view expected, std::string_view found) {
  return bad_input_at(entry.file, entry.line, expected, found);
}

std::unordered_map<std::string, std::size_t> index_by_name(const std::vector<SwitchEntry>& entries,
                                                           const std::string& what) {
  std::unordered_map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (index.try_emplace(entries[i].name, i).second) continue;
    throw error_at(entries[i], "each " + what + " once", in_quotes(entries[i].name) + " again");
  }
  return index;
}

constexpr std::size_t no_parent = SIZE_MAX;

std::vector<std::size_t> parents_of(const std::vector<SwitchEntry>& entries, Expander& expand) {
  const auto index = index_by_name(entries, "switch");
  std::vector<std::size_t> parent(entries.size(), no_parent);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    for (const std::string& name : expand(entries[i].switches, entries[i])) {
      const auto child = index.find(name);
      if (child == index.end()) {
        throw error_at(entries[i], "switches that the file describes", in_quotes(name));
      }
      if (parent[child->second] == no_parent) parent[child->second] = i;
    }
  }
  return parent;
}

/// The names above and including entry `i`, top down.
std::vector<std::string> chain_to(std::size_t i, const std::vector<SwitchEntry>& entries,
                                  const std::vector<std::size_t>& parent) {
  std::vector<std::string> chain;
  for (std::size_t at = i; at != no_parent; at = parent[at]) {
    if (chain.size() == max_slurm_layers) {
      throw error_at(entries[i], "at most 32 switches above a node",
                     "more above " + in_quotes(entries[i].name) + ", or a circle");
    }
    chain.push_back(entries[at].name);
  }
  std::ranges::reverse(chain);
  return chain;
}

/// Brings all hosts to one depth. One without any switch is alone in each layer.
void fill_layers(HostNetwork& network) {
  std::size_t layers = 0;
  for (const auto& host : network.hosts) layers = std::max(layers, host.switches.size());
  for (auto& host : network.hosts) {
    const std::string filler = host.switches.empty() ? host.name : host.switches.back();
    host.switches.resize(layers, filler);
  }
}

/// `kind` names the levels: "switch", "block".
HostNetwork finished(HostNetwork network, std::string_view kind) {
  fill_layers(network);
  drop_common_switches(network);
  const std::size_t layers = network.hosts.empty() ? 0 : network.hosts.front().switches.size();
  if (layers > 0) network.network.levels = unmeasured_levels(layers, kind);
  return network;
}

}  // namespace

bool is_next_block_size(const std::vector<std::uint64_t>& sizes, std::uint64_t size) {
  if (sizes.empty()) return size > 0;
  return size > sizes.back() && size % sizes[0] == 0 && std::has_single_bit(size / sizes[0]);
}

HostNetwork network_of_switches(const std::vector<SwitchEntry>& entries, const std::string& file) {
  Expander expand;
  const auto parent = parents_of(entries, expand);
  HostNetwork network;
  network.network.source = file;
  std::unordered_set<std::string> known;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const auto chain = chain_to(i, entries, parent);
    for (std::string& name : expand(entries[i].nodes, entries[i])) {
      if (known.insert(name).second) network.hosts.push_back({std::move(name), chain});
    }
  }
  if (network.hosts.empty()) throw bad_input(file, "switches with nodes", "none");
  return finished(std::move(network), "switch");
}

HostNetwork network_of_blocks(const std::vector<SwitchEntry>& entries,
                              const std::vector<std::uint64_t>& sizes, const std::string& file) {
  index_by_name(entries, "block");
  Expander expand;
  HostNetwork network;
  network.network.source = file;
  std::unordered_set<std::string> known;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    std::vector<std::string> chain;
    for (std::size_t layer = sizes.size(); layer > 1; --layer) {
      const std::uint64_t joined = sizes[layer - 1] / sizes[0];  // base blocks
      const std::uint64_t first = i / joined * joined;
      const std::uint64_t last = std::min<std::uint64_t>(first + joined, entries.size()) - 1;
      chain.push_back(entries[first].name + ".." + entries[last].name);
    }
    chain.push_back(entries[i].name);
    for (std::string& name : expand(entries[i].nodes, entries[i])) {
      if (known.insert(name).second) network.hosts.push_back({std::move(name), chain});
    }
  }
  if (network.hosts.empty()) throw bad_input(file, "blocks with nodes", "none");
  return finished(std::move(network), "block");
}

HostNetwork network_of_addresses(const std::vector<std::string>& names,
                                 const std::vector<HostAddress>& addresses) {
  HostNetwork network;
  network.network.source = "SLURM_TOPOLOGY_ADDR";
  std::vector<std::string_view> kinds;
  for (std::size_t i = 0; i < names.size(); ++i) {
    HostNetwork::Host host{names[i]};
    const auto pattern = split(addresses[i].pattern, '.');
    if (kinds.empty() && !addresses[i].pattern.empty()) kinds = pattern;
    if (pattern == kinds) {
      std::string_view rest = addresses[i].address;
      for (std::size_t part = 0; part + 1 < kinds.size() && !rest.empty(); ++part) {
        const std::size_t dot = std::min(rest.find('.'), rest.size());
        host.switches.emplace_back(rest.substr(0, dot));
        rest.remove_prefix(std::min(dot + 1, rest.size()));
      }
    }
    network.hosts.push_back(std::move(host));
  }
  return finished(std::move(network), kinds.size() > 1 ? kinds[kinds.size() - 2] : "switch");
}

NetworkFormat network_format_of(LineReader& in) {
  for (const std::string_view line : split(in.head(), '\n')) {
    Words words(line.substr(0, line.find_first_of("#\r")));
    std::string word(words.next());
    if (word.empty()) continue;
    std::ranges::transform(word, word.begin(), [](char c) {
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    const std::string key = word.substr(0, word.find('='));
    if (key == "switchname" || key == "blockname" || key == "blocksizes" ||
        (word == "include" && !words.next().empty())) {
      return NetworkFormat::topology_conf;
    }
    if (word == "---" || word == "-" || word == "%yaml") return NetworkFormat::topology_yaml;
    break;
  }
  return NetworkFormat::network_file;
}

HostNetwork read_any_network(const std::filesystem::path& path) {
  LineReader in(path);
  switch (network_format_of(in)) {
    case NetworkFormat::topology_conf:
      return read_topology_conf(in);
    case NetworkFormat::topology_yaml:
      return read_topology_yaml(in);
    case NetworkFormat::network_file:
      break;
  }
  return read_network_file(in);
}

}  // namespace kith
