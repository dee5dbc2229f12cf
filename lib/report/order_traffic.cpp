#include "report/report_data.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include "kith/detail/network_machine.hpp"

namespace kith {
namespace {

/// The places of a node.
void set_places(const Machine& machine, ReportHost& host) {
  if (const TreeMachine* const tree = machine.as_tree()) {
    const std::uint64_t first = tree->first_leaf(tree->node_level(), host.node);
    host.first_place = static_cast<std::uint32_t>(first);
    host.places =
        static_cast<std::uint32_t>(tree->first_leaf(tree->node_level(), host.node + 1) - first);
    return;
  }
  const NetworkMachine* const network = machine.as_network();
  host.places = network != nullptr ? network->slots_per_node() : 1;
  host.first_place = static_cast<std::uint32_t>(host.node * host.places);
}

/// Heavier first, then lower ranks.
bool comes_before(const Talker& x, const Talker& y) {
  if (x.bytes != y.bytes) return x.bytes > y.bytes;
  return x.a != y.a ? x.a < y.a : x.b < y.b;
}

}  // namespace

ListedHosts hosts_with_ranks(const Machine& machine, std::span<const Mapping* const> mappings,
                             std::size_t most) {
  std::vector<std::uint64_t> nodes;
  for (const Mapping* const mapping : mappings) {
    for (const Slot slot : mapping->slot_of) nodes.push_back(machine.node_of(slot));
    std::ranges::sort(nodes);
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  }
  if (nodes.size() > most) nodes.resize(most);
  ListedHosts listed{{}, machine.nodes() - nodes.size()};
  for (const std::uint64_t node : nodes) {
    listed.hosts.push_back({node, machine.node_name(node)});
    set_places(machine, listed.hosts.back());
  }
  return listed;
}

HostTraffic host_traffic(const TrafficMatrix& matrix, const Machine& machine,
                         const Mapping& mapping, std::span<const ReportHost> hosts) {
  const std::uint32_t ranks = mapping.ranks();
  std::vector<std::uint64_t> node(ranks);
  std::vector<std::size_t> listed(ranks, hosts.size());
  for (std::uint32_t r = 0; r < ranks; ++r) {
    node[r] = machine.node_of(mapping[Rank(r)]);
    const auto found = std::ranges::lower_bound(hosts, node[r], {}, &ReportHost::node);
    if (found != hosts.end() && found->node == node[r]) {
      listed[r] = static_cast<std::size_t>(found - hosts.begin());
    }
  }
  // The last item is for all hosts that are not listed.
  HostTraffic traffic{std::vector<Weight>(hosts.size() + 1), std::vector<Weight>(hosts.size() + 1)};
  for (std::uint32_t r = 0; r < ranks; ++r) {
    const auto receivers = matrix.destinations(Rank(r));
    const auto weights = matrix.weights(Rank(r));
    for (std::size_t i = 0; i < receivers.size(); ++i) {
      if (node[r] == node[receivers[i].value]) continue;
      traffic.between += weights[i];
      traffic.out[listed[r]] += weights[i];
      traffic.in[listed[receivers[i].value]] += weights[i];
    }
  }
  traffic.out.pop_back();
  traffic.in.pop_back();
  return traffic;
}

std::vector<Weight> level_bytes(const TrafficMatrix& matrix, const MachineLevels& levels,
                                const Mapping& mapping) {
  std::vector<Weight> bytes(levels.count() + 1);
  for (std::uint32_t r = 0; r < matrix.ranks(); ++r) {
    const auto receivers = matrix.destinations(Rank(r));
    const auto weights = matrix.weights(Rank(r));
    for (std::size_t i = 0; i < receivers.size(); ++i) {
      bytes[levels.of(mapping[Rank(r)], mapping[receivers[i]])] += weights[i];
    }
  }
  bytes.pop_back();  // on one slot
  return bytes;
}

std::vector<Talker> biggest_talkers(const TrafficGraph& graph, std::size_t most) {
  std::set<Talker, decltype(&comes_before)> best(&comes_before);
  for (std::uint32_t r = 0; r < graph.ranks(); ++r) {
    const auto neighbours = graph.neighbours(Rank(r));
    const auto weights = graph.weights(Rank(r));
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      if (neighbours[i].value <= r) continue;
      const Talker pair{Rank(r), neighbours[i], weights[i]};
      if (best.size() == most && !comes_before(pair, *best.rbegin())) continue;
      best.insert(pair);
      if (best.size() > most) best.erase(std::prev(best.end()));
    }
  }
  return {best.begin(), best.end()};
}

}  // namespace kith
