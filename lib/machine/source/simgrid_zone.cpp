// A zone of hosts, routers and links: a tree where it is one, else a graph.
#include <algorithm>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "core/line_reader.hpp"
#include "core/parse_number.hpp"
#include "kith/detail/graph_network.hpp"
#include "kith/detail/tree_machine.hpp"
#include "machine/hwloc/hwloc_topology.hpp"
#include "machine/source/simgrid_platform.hpp"

namespace kith {
namespace {

constexpr std::uint32_t none = UINT32_MAX;

/// Hosts first, then routers.
NetworkGraph graph_of(const SimgridPlatform& platform, const XmlTags& file) {
  NetworkGraph graph;
  std::unordered_map<std::string_view, std::uint32_t> number;
  const auto add = [&](std::string_view name) {
    if (!number.try_emplace(name, graph.vertices++).second) {
      throw bad_input(file.file(), "each host and router once", in_quotes(name) + " twice");
    }
  };
  for (const SimgridPlatform::Host& host : platform.hosts) add(host.name);
  for (const std::string& router : platform.routers) add(router);
  graph.nodes = static_cast<std::uint32_t>(platform.hosts.size());
  for (const SimgridPlatform::Route& route : platform.routes) {
    const auto from = number.find(route.from);
    const auto to = number.find(route.to);
    if (from == number.end() || to == number.end()) {
      throw bad_input(file.file(), "routes between the zone's hosts and routers",
                      in_quotes(from == number.end() ? route.from : route.to));
    }
    if (from->second == to->second) continue;  // how a host talks to itself
    graph.edges.push_back({from->second, to->second, std::max<std::uint64_t>(route.links, 1)});
  }
  return graph;
}

/// Each host's way down from the first router: way[l][host] is the vertex at depth l. Nothing
/// unless the graph is a tree below that router whose leaves are the hosts, all at one depth, and
/// the hosts below each router stand side by side.
std::optional<std::vector<std::vector<std::uint32_t>>> paths_from_root(const NetworkGraph& graph) {
  if (graph.vertices == graph.nodes || graph.edges.size() + 1 != graph.vertices)
    return std::nullopt;
  std::vector<std::vector<std::uint32_t>> neighbours(graph.vertices);
  for (const NetworkGraph::Edge& edge : graph.edges) {
    if (edge.length != 1) return std::nullopt;
    neighbours[edge.a].push_back(edge.b);
    neighbours[edge.b].push_back(edge.a);
  }
  std::vector<std::uint32_t> parent(graph.vertices, none);
  std::vector<std::uint32_t> depth(graph.vertices, 0);
  std::vector<std::uint32_t> order{graph.nodes};
  parent[graph.nodes] = graph.nodes;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::uint32_t at = order[i];
    const bool is_host = at < graph.nodes;
    if (neighbours[at].size() == 1 ? !is_host && graph.vertices > 2 && at != graph.nodes
                                   : is_host) {
      return std::nullopt;
    }
    for (const std::uint32_t next : neighbours[at]) {
      if (parent[next] != none) continue;
      parent[next] = at;
      depth[next] = depth[at] + 1;
      order.push_back(next);
    }
  }
  if (order.size() != graph.vertices) return std::nullopt;
  const std::uint32_t levels = depth[0];
  if (levels > 64) return std::nullopt;
  std::vector<std::vector<std::uint32_t>> ways(levels + 1, std::vector<std::uint32_t>(graph.nodes));
  for (std::uint32_t host = 0; host < graph.nodes; ++host) {
    if (depth[host] != levels) return std::nullopt;
    std::uint32_t at = host;
    for (std::uint32_t l = levels + 1; l-- > 0; at = parent[at]) ways[l][host] = at;
  }
  for (const auto& way : ways) {
    std::vector<bool> seen(graph.vertices);
    for (std::uint32_t host = 0; host < graph.nodes; ++host) {
      if (host > 0 && way[host] == way[host - 1]) continue;
      if (seen[way[host]]) return std::nullopt;
      seen[way[host]] = true;
    }
  }
  return ways;
}

/// How many children each object of a level has, given the ways through it and the level below.
std::vector<std::uint32_t> children_of(const std::vector<std::uint32_t>& level,
                                       const std::vector<std::uint32_t>& below) {
  std::vector<std::uint32_t> children;
  for (std::size_t host = 0; host < level.size(); ++host) {
    const bool new_object = host == 0 || level[host] != level[host - 1];
    if (new_object) children.push_back(0);
    if (new_object || below[host] != below[host - 1]) ++children.back();
  }
  return children;
}

void add_inside(const std::vector<SimgridPlatform::Host>& hosts, TreeDescription& tree) {
  const std::size_t levels = hosts.front().inside.size();
  for (std::size_t l = 0; l < levels; ++l) {
    std::vector<std::uint32_t> children;
    for (const SimgridPlatform::Host& host : hosts) {
      const auto& inside = host.inside;
      const std::uint64_t objects =
          std::accumulate(inside.begin(), inside.begin() + static_cast<std::ptrdiff_t>(l),
                          std::uint64_t{1}, std::multiplies<>());
      children.insert(children.end(), objects, inside[l]);
    }
    tree.children.push_back(std::move(children));
  }
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> list;
  Words words(text);
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    list.emplace_back(word);
  }
  return list;
}

std::vector<std::uint64_t> numbers_of(std::string_view text) {
  std::vector<std::uint64_t> numbers;
  for (const std::string& word : words_of(text)) {
    const auto number = parse_unsigned(word);
    if (!number || *number > std::uint64_t{1} << 62) return {};
    numbers.push_back(*number);
  }
  return numbers;
}

/// Empty where the names say no more than the numbers.
std::vector<std::string> names_of(const std::vector<SimgridPlatform::Host>& hosts) {
  std::vector<std::string> names;
  bool plain = true;
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    plain = plain && (hosts[i].name == "node" + std::to_string(i) ||
                      hosts[i].name == "slot" + std::to_string(i));
    names.push_back(hosts[i].name);
  }
  if (plain) names.clear();
  return names;
}

std::unique_ptr<Machine> tree_of(const SimgridPlatform& platform, const SpecRequest& request,
                                 const std::vector<std::vector<std::uint32_t>>& ways) {
  TreeDescription tree;
  for (std::size_t l = 0; l + 1 < ways.size(); ++l) {
    tree.children.push_back(children_of(ways[l], ways[l + 1]));
  }
  add_inside(platform.hosts, tree);
  const auto prop = [&](const char* key) {
    const auto found = platform.props.find(key);
    return found == platform.props.end() ? std::string_view() : std::string_view(found->second);
  };
  tree.names = words_of(prop("kith-levels"));
  if (tree.names.size() != tree.children.size()) {
    tree.names.clear();
    for (std::size_t l = 0; l < tree.children.size(); ++l) {
      tree.names.push_back("level" + std::to_string(l));
    }
  }
  KithNotes notes;
  const auto nodes = numbers_of(prop("kith-nodes"));
  notes.nodes = nodes.size() == 1 ? nodes.front() : platform.hosts.size();
  notes.node_names = names_of(platform.hosts);
  notes.costs = numbers_of(prop("kith-costs"));
  const auto scale = numbers_of(prop("kith-cost-scale"));
  if (scale.size() == 1 && scale.front() > 0) notes.cost_scale = scale.front();
  tree.kind = "tree";
  tree.spec = request.spec;
  apply_notes(std::move(notes), tree);
  return TreeMachine::from(std::move(tree));
}

}  // namespace

std::unique_ptr<Machine> machine_of_zone(const SimgridPlatform& platform,
                                         const SpecRequest& request, const XmlTags& file) {
  std::uint64_t slots = 0;
  bool alike = true;
  for (const SimgridPlatform::Host& host : platform.hosts) {
    slots += std::accumulate(host.inside.begin(), host.inside.end(), std::uint64_t{1},
                             std::multiplies<>());
    alike = alike && host.inside == platform.hosts.front().inside;
    if (slots > max_simgrid_objects) {
      throw bad_input(file.file(), "at most 2^24 cores in a zone", "more");
    }
    if (host.inside.size() != platform.hosts.front().inside.size()) {
      throw bad_input(file.file(), "hosts that all have one core, or all several",
                      in_quotes(host.name) + " unlike the first");
    }
  }
  NetworkGraph graph = graph_of(platform, file);
  if (const auto ways = paths_from_root(graph)) return tree_of(platform, request, *ways);
  if (!alike) {
    throw bad_input(file.file(), "equally many cores in all hosts of what is not a tree", "unequal");
  }
  return std::make_unique<NetworkMachine>(
      std::make_shared<GraphNetwork>(std::move(graph), file.file()), platform.hosts.front().inside,
      request.spec, names_of(platform.hosts));
}

}  // namespace kith
