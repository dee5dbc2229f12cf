#include "machine/network/host_network.hpp"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "core/line_reader.hpp"
#include "core/parse_number.hpp"
#include "kith/error.hpp"
#include "machine/model/node_slots.hpp"
#include "machine/network/node_list.hpp"

namespace kith {
namespace {

/// The name before the first dot; empty for addresses.
std::string short_name(std::string_view name) {
  if (name.find_first_not_of("0123456789.") == std::string_view::npos) return {};
  return std::string(name.substr(0, name.find('.')));
}

}  // namespace

HostNames::HostNames(std::span<const std::string> names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!whole_.try_emplace(names[i], i).second) continue;
    const auto [known, is_new] = short_.try_emplace(short_name(names[i]), i);
    if (!is_new) known->second = several;
  }
}

std::optional<std::size_t> HostNames::find(std::string_view name) const {
  if (const auto found = whole_.find(std::string(name)); found != whole_.end()) {
    return found->second;
  }
  const std::string part = short_name(name);
  const auto found = short_.find(part);
  if (part.empty() || found == short_.end() || found->second == several) return std::nullopt;
  // "n1.here" and "n1.there" are two hosts; one of the names has to be the short one.
  if (part != name && !whole_.contains(part)) return std::nullopt;
  return found->second;
}

std::vector<LevelCost> unmeasured_levels(std::size_t layers, std::string_view kind) {
  std::vector<LevelCost> levels{{"network"}};
  for (std::size_t above = layers; above > 0; --above) {
    levels.push_back({std::string(kind) + (above == 1 ? "" : std::to_string(above))});
  }
  return levels;
}

void drop_common_switches(HostNetwork& network) {
  if (network.hosts.empty()) return;
  const auto& first = network.hosts.front().switches;
  std::size_t common = first.size();
  for (const HostNetwork::Host& host : network.hosts) {
    const auto parted = std::ranges::mismatch(first, host.switches).in1;
    common = std::min(common, static_cast<std::size_t>(parted - first.begin()));
  }
  const auto count = static_cast<std::ptrdiff_t>(common);
  for (HostNetwork::Host& host : network.hosts) {
    host.switches.erase(host.switches.begin(), host.switches.begin() + count);
  }
  auto& levels = network.network.levels;
  if (!levels.empty()) levels.erase(levels.begin(), levels.begin() + count);
}

namespace {

std::optional<std::uint64_t> number_of(std::string_view name) {
  if (name.starts_with("node")) name.remove_prefix(4);
  return parse_unsigned(name);
}

struct NodeRequest {
  const NodeCount* asked = nullptr;
  std::uint32_t taken = 0;
};

}  // namespace

SlotSet slots_of_nodes(const Machine& machine, std::span<const NodeCount> nodes,
                       std::string_view option) {
  const HostNames names(machine.node_names());
  std::vector<NodeRequest> requests;
  std::unordered_map<std::uint64_t, std::size_t> request_of;  // node -> place in `requests`
  for (const NodeCount& node : nodes) {
    std::optional<std::uint64_t> found = names.find(node.name);
    if (!found && machine.node_names().empty()) found = number_of(node.name);
    if (!found || *found >= machine.nodes()) {
      throw bad_input(option,
                      "one of the machine's " + std::to_string(machine.nodes()) +
                          " nodes, such as " + machine.node_name(0),
                      in_quotes(node.name));
    }
    const auto [place, is_new] = request_of.try_emplace(*found, requests.size());
    if (is_new) requests.emplace_back();
    requests[place->second].asked = &node;
  }
  std::vector<SlotSet::Interval> kept;
  for_each_stretch(machine, [&](std::uint64_t node, SlotSet::Interval stretch) {
    const auto place = request_of.find(node);
    if (place == request_of.end()) return;
    auto& [asked, taken] = requests[place->second];
    std::uint32_t count = stretch.last.value - stretch.first.value + 1;
    if (asked->slots > 0) count = std::min(count, asked->slots - taken);
    if (count == 0) return;
    kept.push_back({stretch.first, Slot(stretch.first.value + (count - 1))});
    taken += count;
  });
  for (const auto& [asked, taken] : requests) {
    if (taken >= asked->slots) continue;
    throw bad_input(
        option, "at most the " + std::to_string(taken) + " slots of node " + in_quotes(asked->name),
        std::to_string(asked->slots));
  }
  return SlotSet::of(std::move(kept));
}

namespace {

/// A few names and how many more there are.
std::string abbreviated(const std::vector<std::string>& names) {
  constexpr std::size_t most = 100;
  std::string text = compress_hostlist(names);
  if (text.size() > most) text = text.substr(0, most) + "...";
  return text;
}

}  // namespace

std::string put_between_hosts(const HostNetwork& network, JobDescription& job) {
  std::vector<std::string> names;
  for (const HostNetwork::Host& host : network.hosts) names.push_back(host.name);
  const HostNames index(names);

  const std::size_t levels = network.network.levels.size();
  std::vector<std::string> unknown;
  for (JobHost& host : job.hosts) {
    const auto found = index.find(host.name);
    if (!found) unknown.push_back(host.name);
    const std::size_t layers = levels == 0 ? 0 : levels - 1;
    // Alone in each layer: no switch has the name of a host.
    host.switches =
        found ? network.hosts[*found].switches : std::vector<std::string>(layers, host.name);
  }
  job.network = network.network;
  if (unknown.empty() || names.empty()) return {};

  if (unknown.size() < job.hosts.size()) {
    return network.network.source + " does not name " + std::to_string(unknown.size()) + " of " +
           std::to_string(job.hosts.size()) + " hosts (" + abbreviated(unknown) +
           "): nothing is known of their place in the network";
  }
  for (JobHost& host : job.hosts) host.switches.clear();
  job.network = {};
  return network.network.source + " names none of the job's hosts (" + abbreviated(unknown) +
         "): the network between them is taken for one level";
}

}  // namespace kith
