// <cluster>: hosts that SimGrid wires from a few parameters.
#include <algorithm>

#include "core/line_reader.hpp"
#include "core/parse_number.hpp"
#include "kith/detail/graph_network.hpp"
#include "kith/detail/tree_machine.hpp"
#include "machine/source/simgrid_platform.hpp"

namespace kith {
namespace {

class Cluster {
 public:
  Cluster(const SimgridPlatform& platform, const SpecRequest& request, const XmlTags& file)
      : platform_(platform), request_(request), file_(file), hosts_(count_hosts()) {
    const auto cores = parse_unsigned(text("core").empty() ? "1" : text("core"));
    if (!cores || *cores == 0 || *cores > max_simgrid_objects) {
      throw error("a number of cores", in_quotes(text("core")));
    }
    inside_ = tree_in_host(text("kith-node"), static_cast<std::uint32_t>(*cores));
  }

  std::unique_ptr<Machine> machine() const {
    const std::string_view topology = text("topology");
    if (topology.empty() || topology == "FLAT") return flat();
    if (topology == "TORUS") return torus();
    if (topology == "FAT_TREE") return fat_tree();
    if (topology == "DRAGONFLY") return dragonfly();
    throw error("a topology FLAT, TORUS, FAT_TREE or DRAGONFLY", in_quotes(topology));
  }

 private:
  std::string_view text(const char* key) const {
    const auto found = platform_.cluster.find(key);
    return found == platform_.cluster.end() ? std::string_view() : std::string_view(found->second);
  }
  Error error(std::string_view expected, std::string_view found) const {
    return bad_input(file_.file(), "in <cluster> " + std::string(expected), found);
  }

  /// "0-3,7": five hosts.
  std::uint64_t count_hosts() const {
    std::uint64_t hosts = 0;
    for (const std::string_view part : split(text("radical"), ',')) {
      const auto dash = part.find('-');
      const auto first = parse_unsigned(part.substr(0, dash));
      const auto last =
          dash == std::string_view::npos ? first : parse_unsigned(part.substr(dash + 1));
      if (!first || !last || *last < *first || *last >= max_index_count) {
        throw error("a radical such as 0-255", in_quotes(text("radical")));
      }
      hosts += *last - *first + 1;
    }
    if (hosts > max_index_count) throw error("at most 2^32 - 1 hosts", "more");
    return hosts;
  }

  std::vector<std::uint32_t> numbers(std::string_view list) const {
    std::vector<std::uint32_t> values;
    for (const std::string_view part : split(list, ',')) {
      const auto value = parse_unsigned(part);
      if (!value || *value == 0 || *value > max_simgrid_objects) {
        throw error("positive numbers in topo_parameters", in_quotes(text("topo_parameters")));
      }
      values.push_back(static_cast<std::uint32_t>(*value));
    }
    return values;
  }

  /// Throws unless the parameters make as many hosts as the radical.
  void check_hosts(const std::vector<std::uint32_t>& factors) const {
    std::uint64_t hosts = 1;
    for (const std::uint32_t factor : factors) {
      hosts *= factor;
      if (hosts > max_simgrid_objects) break;
    }
    if (hosts > max_simgrid_objects) throw error("at most 2^24 hosts", "more");
    if (hosts == hosts_) return;
    throw error("topo_parameters for " + std::to_string(hosts_) + " hosts",
                std::to_string(hosts) + " in " + in_quotes(text("topo_parameters")));
  }

  std::unique_ptr<Machine> flat() const {
    std::vector<std::uint32_t> arities{static_cast<std::uint32_t>(hosts_)};
    arities.insert(arities.end(), inside_.begin(), inside_.end());
    return TreeMachine::symmetric(std::move(arities), {}, 1, request_.spec);
  }

  /// SimGrid's first dimension is the fastest, Kith's the last.
  std::unique_ptr<Machine> torus() const {
    auto extents = numbers(text("topo_parameters"));
    check_hosts(extents);
    std::ranges::reverse(extents);
    return network(std::make_shared<GridNetwork>(GridNetwork::Kind::torus, std::move(extents)));
  }

  /// LEVELS;DOWN;UP;PARALLEL, each but the first a list from the hosts up. Ways up and down are
  /// those in the tree of DOWN, whatever the number of switches at its top.
  std::unique_ptr<Machine> fat_tree() const {
    const auto parts = split(text("topo_parameters"), ';');
    auto arities = numbers(parts.size() > 1 ? parts[1] : std::string_view());
    if (numbers(parts[0]) != std::vector{static_cast<std::uint32_t>(arities.size())}) {
      throw error("topo_parameters LEVELS;DOWN;UP;PARALLEL", in_quotes(text("topo_parameters")));
    }
    check_hosts(arities);
    std::ranges::reverse(arities);
    arities.insert(arities.end(), inside_.begin(), inside_.end());
    TreeDescription tree;
    std::uint64_t objects = 1;
    for (const std::uint32_t arity : arities) {
      tree.children.emplace_back(objects, arity);
      tree.names.push_back("level" + std::to_string(tree.names.size()));
      objects *= arity;
      if (objects > max_simgrid_objects) throw error("at most 2^24 cores", "more");
    }
    tree.kind = "fattree";
    tree.spec = request_.spec;
    tree.nodes = hosts_;
    return TreeMachine::from(std::move(tree));
  }

  /// GROUPS,n;CHASSIS,n;ROUTERS,n;NODES: routers of a chassis are linked to each other, as are
  /// equal ones of a group's chassis; groups i and j by router j of group i and router i of group
  /// j.
  std::unique_ptr<Machine> dragonfly() const {
    const auto parts = split(text("topo_parameters"), ';');
    if (parts.size() != 4) {
      throw error("topo_parameters GROUPS,n;CHASSIS,n;ROUTERS,n;NODES",
                  in_quotes(text("topo_parameters")));
    }
    const std::uint32_t groups = numbers(parts[0]).front();
    const std::uint32_t chassis = numbers(parts[1]).front();
    const std::uint32_t routers = numbers(parts[2]).front();
    const std::uint32_t nodes = numbers(parts[3]).front();
    check_hosts({groups, chassis, routers, nodes});
    const std::uint64_t per_group = std::uint64_t{chassis} * routers;
    if (per_group * (chassis + routers) * groups > max_simgrid_objects || groups > per_group) {
      throw error("at least as many routers in a group as groups, and at most 2^24 links",
                  in_quotes(text("topo_parameters")));
    }
    NetworkGraph graph;
    graph.nodes = static_cast<std::uint32_t>(hosts_);
    graph.vertices = static_cast<std::uint32_t>(hosts_ + groups * per_group);
    const auto router = [&](std::uint64_t group, std::uint64_t number) {
      return static_cast<std::uint32_t>(hosts_ + group * per_group + number);
    };
    for (std::uint32_t node = 0; node < graph.nodes; ++node) {
      graph.edges.push_back({node, router(0, node / nodes)});
    }
    for (std::uint64_t group = 0; group < groups; ++group) {
      for (std::uint64_t a = 0; a < per_group; ++a) {
        for (std::uint64_t b = a + 1; b < (a / routers + 1) * routers; ++b) {
          graph.edges.push_back({router(group, a), router(group, b)});
        }
        for (std::uint64_t b = a + routers; b < per_group; b += routers) {
          graph.edges.push_back({router(group, a), router(group, b)});
        }
      }
      for (std::uint64_t other = group + 1; other < groups; ++other) {
        graph.edges.push_back({router(group, other), router(other, group)});
      }
    }
    graph.kind = "dragonfly";
    return network(std::make_shared<GraphNetwork>(std::move(graph), file_.file()));
  }

  std::unique_ptr<Machine> network(std::shared_ptr<const Network> network) const {
    return std::make_unique<NetworkMachine>(std::move(network), inside_, request_.spec);
  }

  const SimgridPlatform& platform_;
  const SpecRequest& request_;
  const XmlTags& file_;
  std::uint64_t hosts_;
  std::vector<std::uint32_t> inside_;
};

}  // namespace

std::unique_ptr<Machine> machine_of_cluster(const SimgridPlatform& platform,
                                            const SpecRequest& request, const XmlTags& file) {
  return Cluster(platform, request, file).machine();
}

}  // namespace kith
