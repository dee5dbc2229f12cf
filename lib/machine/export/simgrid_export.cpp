#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "kith/detail/export.hpp"
#include "kith/detail/network_machine.hpp"
#include "kith/error.hpp"

namespace kith {
namespace {

/// Above this SimGrid's Dijkstra zones take minutes to load.
constexpr std::uint64_t max_links = std::uint64_t{1} << 17;

// What is written where nothing was measured: a link of 100 Gbit/s, and a core.
constexpr double default_megabytes_per_s = 12500;
constexpr double default_latency_us = 0.5;
constexpr std::string_view core_speed = "1Gf";

Error not_for_simgrid(const Machine& machine, const std::string& found) {
  return bad_argument("format simgrid",
                      fmt::format("a tree, grid or dragonfly of at most {} links", max_links),
                      fmt::format("{} in {}", found, machine.spec()));
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string prop(std::string_view id, std::string_view value) {
  return fmt::format("<prop id=\"{}\" value=\"{}\"/>", id, escaped(value));
}

std::string slots_prop(const Machine& machine) {
  if (machine.allowed().size() == machine.slots()) return "";
  std::string list;
  for (const SlotSet::Interval& interval : machine.allowed().intervals()) {
    fmt::format_to(std::back_inserter(list), "{}{}-{}", list.empty() ? "" : ",",
                   interval.first.value, interval.last.value);
  }
  return "    " + prop("kith-slots", list) + "\n";
}

std::string platform(std::string_view body) {
  return fmt::format(
      "<?xml version='1.0'?>\n"
      "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
      "<platform version=\"4.1\">\n{}</platform>\n",
      body);
}

std::string link_attributes(std::string_view bandwidth, std::string_view latency,
                            double megabytes_per_s = 0, double latency_us = 0) {
  const double bytes = megabytes_per_s > 0 ? megabytes_per_s : default_megabytes_per_s;
  const double seconds = latency_us > 0 ? latency_us : default_latency_us;
  return fmt::format("{}=\"{:.6g}MBps\" {}=\"{:.6g}us\"", bandwidth, bytes, latency, seconds);
}

/// The tree in a node, "2x8"; nothing where the node is a slot.
std::string node_prop(std::span<const std::uint32_t> arities) {
  return arities.empty() ? "" : prop("kith-node", fmt::format("{}", fmt::join(arities, "x")));
}

/// SimGrid wires the whole from a few parameters.
std::string cluster(const Machine& machine, std::uint64_t nodes,
                    const std::vector<std::uint32_t>& inside, std::string_view topology,
                    std::string_view parameters) {
  std::uint64_t slots = 1;
  for (const std::uint32_t arity : inside) slots *= arity;
  return platform(fmt::format(
      "  <cluster id=\"kith\" prefix=\"node\" suffix=\"\" radical=\"0-{}\" speed=\"{}\" "
      "core=\"{}\" {} sharing_policy=\"SPLITDUPLEX\" topology=\"{}\" "
      "topo_parameters=\"{}\">\n    {}\n{}  </cluster>\n",
      nodes - 1, core_speed, slots, link_attributes("bw", "lat"), topology, parameters,
      node_prop(inside), slots_prop(machine)));
}

/// Hosts, routers and links, in the order of the file.
class Zone {
 public:
  void add_host(std::string_view name, const std::vector<std::uint32_t>& inside) {
    std::uint64_t slots = 1;
    for (const std::uint32_t arity : inside) slots *= arity;
    fmt::format_to(std::back_inserter(places_), "    <host id=\"{}\" speed=\"{}\" core=\"{}\">{}",
                   escaped(name), core_speed, slots, node_prop(inside));
    places_ += "</host>\n";
  }
  void add_router(std::string_view name) {
    fmt::format_to(std::back_inserter(places_), "    <router id=\"{}\"/>\n", name);
  }
  void add_link(std::string_view a, std::string_view b, const std::string& attributes) {
    fmt::format_to(std::back_inserter(links_),
                   "    <link id=\"link{}\" {} sharing_policy=\"SPLITDUPLEX\"/>\n", count_,
                   attributes);
    fmt::format_to(std::back_inserter(routes_),
                   "    <route src=\"{}\" dst=\"{}\"><link_ctn id=\"link{}\" direction=\"UP\"/>"
                   "</route>\n",
                   escaped(a), escaped(b), count_++);
  }
  void add_prop(std::string_view id, std::string_view value) {
    props_ += "    " + prop(id, value) + "\n";
  }

  std::string text(const Machine& machine) const {
    return platform(fmt::format("  <zone id=\"kith\" routing=\"Dijkstra\">\n{}{}{}{}{}  </zone>\n",
                                props_, slots_prop(machine), places_, links_, routes_));
  }

 private:
  std::string props_;
  std::string places_;
  std::string links_;
  std::string routes_;
  std::uint64_t count_ = 0;
};

/// The tree in a node.
std::vector<std::uint32_t> arities_of(const TreeMachine* tree) {
  std::vector<std::uint32_t> arities;
  if (tree == nullptr) return arities;
  for (unsigned l = 0; l < tree->depth(); ++l) {
    arities.push_back(static_cast<std::uint32_t>(tree->objects(l + 1) / tree->objects(l)));
  }
  return arities;
}

/// The arities below an object; nothing where they are not equal on each level.
std::optional<std::vector<std::uint32_t>> arities_below(const TreeMachine& tree, unsigned level,
                                                        std::uint64_t object) {
  std::vector<std::uint32_t> arities;
  std::uint64_t first = object;
  std::uint64_t end = object + 1;
  for (; level < tree.depth(); ++level) {
    const std::uint64_t each = tree.first_child(level, first + 1) - tree.first_child(level, first);
    for (std::uint64_t i = first; i < end; ++i) {
      if (tree.first_child(level, i + 1) - tree.first_child(level, i) != each) return std::nullopt;
    }
    arities.push_back(static_cast<std::uint32_t>(each));
    first = tree.first_child(level, first);
    end = tree.first_child(level, end);
  }
  return arities;
}

class TreeZone {
 public:
  explicit TreeZone(const TreeMachine& tree) : tree_(tree), host_level_(find_host_level()) {}

  std::string text() {
    std::uint64_t links = 0;
    for (unsigned l = 1; l <= host_level_; ++l) links += tree_.objects(l);
    if (links > max_links) throw not_for_simgrid(tree_, fmt::format("{} links", links));
    add_props();
    for (unsigned l = 0; l < host_level_; ++l) {
      for (std::uint64_t i = 0; i < tree_.objects(l); ++i) zone_.add_router(name_of(l, i));
    }
    for (std::uint64_t i = 0; i < tree_.objects(host_level_); ++i) {
      zone_.add_host(name_of(host_level_, i), *arities_below(tree_, host_level_, i));
    }
    for (unsigned l = 1; l <= host_level_; ++l) {
      const std::string attributes = attributes_above(l);
      for (std::uint64_t i = 0; i < tree_.objects(l); ++i) {
        zone_.add_link(name_of(l, i), name_of(l - 1, tree_.parent(l, i)), attributes);
      }
    }
    return zone_.text(tree_);
  }

 private:
  /// Nodes are hosts where there are several and each is symmetric inside; else slots are.
  unsigned find_host_level() const {
    if (tree_.nodes() == 1) return tree_.depth();
    for (std::uint64_t i = 0; i < tree_.nodes(); ++i) {
      if (!arities_below(tree_, tree_.node_level(), i)) return tree_.depth();
    }
    return tree_.node_level();
  }

  std::string name_of(unsigned level, std::uint64_t object) const {
    if (level < host_level_) return fmt::format("router{}-{}", level, object);
    return level == tree_.node_level() ? tree_.node_name(object) : fmt::format("slot{}", object);
  }

  /// Of links between objects of a level and those above: a route over the level above has two of
  /// them and, below, two of each lower level.
  std::string attributes_above(unsigned level) const {
    const Level& here = tree_.levels()[level - 1];
    const double below = level < host_level_ ? tree_.levels()[level].latency_us : 0;
    return link_attributes("bandwidth", "latency", here.megabytes_per_s,
                           (here.latency_us - below) / 2);
  }

  void add_props() {
    std::vector<std::string> names;
    for (const Level& level : tree_.levels()) names.push_back(level.name);
    zone_.add_prop("kith-levels", fmt::format("{}", fmt::join(names, " ")));
    zone_.add_prop("kith-nodes", fmt::format("{}", tree_.nodes()));
    if (!tree_.has_costs()) return;
    const auto costs = tree_.level_cost().first(tree_.depth());
    zone_.add_prop("kith-costs", fmt::format("{}", fmt::join(costs, " ")));
    zone_.add_prop("kith-cost-scale", fmt::format("{}", tree_.cost_scale()));
  }

  const TreeMachine& tree_;
  unsigned host_level_;
  Zone zone_;
};

/// A k-ary n-tree with all its switches: SimGrid spreads the routes over them.
std::string fat_tree_text(const TreeMachine& tree) {
  const auto arities = arities_of(&tree);
  const auto layers = static_cast<std::ptrdiff_t>(tree.node_level());
  std::vector<std::uint32_t> down(arities.begin(), arities.begin() + layers);
  std::ranges::reverse(down);  // SimGrid's first level is the lowest
  std::vector<std::uint32_t> up(down.size(), down.front());
  up.front() = 1;
  const std::vector<std::uint32_t> parallel(down.size(), 1);
  return cluster(tree, tree.nodes(), {arities.begin() + layers, arities.end()}, "FAT_TREE",
                 fmt::format("{};{};{};{}", down.size(), fmt::join(down, ","), fmt::join(up, ","),
                             fmt::join(parallel, ",")));
}

std::string simgrid_tree_text(const TreeMachine& tree) {
  if (tree.kind() == "fattree" && !tree.has_costs()) return fat_tree_text(tree);
  if (!tree.slots_in_leaf_order()) throw not_for_simgrid(tree, "slots in another order");
  return TreeZone(tree).text();
}

std::string torus_text(const NetworkMachine& machine, const GridNetwork& grid) {
  std::vector<std::uint32_t> extents(grid.extents().begin(), grid.extents().end());
  std::ranges::reverse(extents);  // SimGrid's first dimension is the fastest
  return cluster(machine, grid.nodes(), arities_of(machine.node_tree()), "TORUS",
                 fmt::format("{}", fmt::join(extents, ",")));
}

/// Meshes and hypercubes.
std::string grid_text(const NetworkMachine& machine, const GridNetwork& grid) {
  if (grid.periodic()) return torus_text(machine, grid);
  if (grid.nodes() * grid.extents().size() > max_links) {
    throw not_for_simgrid(machine, fmt::format("{} nodes", grid.nodes()));
  }
  Zone zone;
  const auto inside = arities_of(machine.node_tree());
  for (std::uint32_t node = 0; node < grid.nodes(); ++node) {
    zone.add_host(machine.node_name(node), inside);
  }
  const std::string attributes = link_attributes("bandwidth", "latency");
  std::uint64_t stride = 1;
  for (std::size_t d = grid.extents().size(); d-- > 0;) {
    for (std::uint32_t node = 0; node < grid.nodes(); ++node) {
      if (node / stride % grid.extents()[d] + 1 == grid.extents()[d]) continue;
      zone.add_link(machine.node_name(node), machine.node_name(node + stride), attributes);
    }
    stride *= grid.extents()[d];
  }
  return zone.text(machine);
}

std::string router_name(std::uint32_t group, std::uint32_t router) {
  return fmt::format("router{}-{}", group, router);
}

std::string dragonfly_text(const NetworkMachine& machine, const DragonflyNetwork& network) {
  const std::uint64_t groups = network.groups();
  const std::uint64_t routers = network.routers();
  const std::uint64_t links =
      network.nodes() + groups * (routers * (routers - 1) / 2 + (groups - 1) / 2);
  if (links > max_links) throw not_for_simgrid(machine, fmt::format("{} links", links));
  Zone zone;
  const auto inside = arities_of(machine.node_tree());
  const std::string attributes = link_attributes("bandwidth", "latency");
  for (std::uint32_t node = 0; node < network.nodes(); ++node) {
    zone.add_host(machine.node_name(node), inside);
    const std::uint32_t router = node / network.nodes_per_router();
    zone.add_link(machine.node_name(node),
                  router_name(router / network.routers(), router % network.routers()), attributes);
  }
  for (std::uint32_t group = 0; group < network.groups(); ++group) {
    for (std::uint32_t a = 0; a < network.routers(); ++a) {
      zone.add_router(router_name(group, a));
      for (std::uint32_t b = 0; b < a; ++b) {
        zone.add_link(router_name(group, b), router_name(group, a), attributes);
      }
    }
    for (std::uint32_t port = 0; port + 1 < network.groups(); ++port) {
      const std::uint32_t other = network.group_at(group, port);
      if (other < group) continue;  // the other end writes it
      zone.add_link(router_name(group, port / network.ports()),
                    router_name(other, network.port_to(other, group) / network.ports()),
                    attributes);
    }
  }
  return zone.text(machine);
}

}  // namespace

std::string simgrid_xml(const Machine& machine) {
  if (const TreeMachine* const tree = machine.as_tree()) return simgrid_tree_text(*tree);
  if (const NetworkMachine* const network = machine.as_network()) {
    if (const GridNetwork* const grid = network->network().as_grid()) {
      return grid_text(*network, *grid);
    }
    if (const auto* const dragonfly = dynamic_cast<const DragonflyNetwork*>(&network->network())) {
      return dragonfly_text(*network, *dragonfly);
    }
  }
  throw not_for_simgrid(machine, fmt::format("a {}, whose links are not known,", machine.kind()));
}

}  // namespace kith
