// Networks that are no grids: how far their nodes are from each other, and the groups of a
// dragonfly.
#include "topo/picture.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/rng.hpp"
#include "results.hpp"

namespace kith::tools {
namespace {

/// Up to this many nodes all pairs are looked at, above a sample.
constexpr std::uint32_t max_exact_nodes = 1024;
constexpr std::uint64_t sampled_nodes = 64;
constexpr std::uint64_t samples_of_a_node = 1024;

constexpr std::uint32_t max_table_nodes = 16;
constexpr std::size_t network_width = 80;

std::string cell_text(const Network& network, std::uint32_t a, std::uint32_t b) {
  return a == b ? "." : quantity_text({network.cost(a, b), network.cost_scale()});
}

/// The costs between all nodes: hops where the network has none.
std::string distance_table(const Network& network) {
  const std::uint32_t nodes = network.nodes();
  if (nodes < 2 || nodes > max_table_nodes) return "";
  std::size_t cell = std::to_string(nodes - 1).size();
  for (std::uint32_t a = 0; a < nodes; ++a) {
    for (std::uint32_t b = 0; b < a; ++b) cell = std::max(cell, cell_text(network, a, b).size());
  }
  if ((cell + 1) * (nodes + 1) > network_width) return "";
  std::string text =
      fmt::format("\n{}\n{:>{}}", network.has_costs() ? "cost" : "hops", "", cell + 1);
  for (std::uint32_t b = 0; b < nodes; ++b) text += fmt::format(" {:>{}}", b, cell);
  text += '\n';
  for (std::uint32_t a = 0; a < nodes; ++a) {
    text += fmt::format("{:>{}} ", a, cell);
    for (std::uint32_t b = 0; b < nodes; ++b) {
      text += fmt::format(" {:>{}}", cell_text(network, a, b), cell);
    }
    text += '\n';
  }
  return text;
}

std::string links_to_groups(const DragonflyNetwork& network, std::uint32_t router) {
  std::string text;
  const std::uint64_t first = std::uint64_t{router} * network.ports();
  for (std::uint64_t port = first; port < first + network.ports() && port + 1 < network.groups();
       ++port) {
    text += fmt::format(" {}", network.group_at(0, static_cast<std::uint32_t>(port)));
    if (text.size() > 40) return text + " ...";
  }
  return text.empty() ? "" : ", linked to the groups" + text;
}

/// From the two ends of a direct link on, 3 hops; how many at most depends on the arrangement.
std::string hops_between_groups(const DragonflyNetwork& network) {
  const std::uint32_t per_group = network.nodes_per_router() * network.routers();
  std::uint64_t most = 3;
  const bool exact = visit_node_pairs(network, [&](std::uint32_t a, std::uint32_t b) {
    if (a / per_group != b / per_group) most = std::max(most, network.hops(a, b));
  });
  return fmt::format("{} between groups{}", most == 3 ? "3" : fmt::format("3 to {}", most),
                     exact || most == 5 ? "" : " (of random pairs)");
}

std::string hops_text(const DragonflyNetwork& network) {
  std::vector<std::string> parts;
  if (network.nodes_per_router() > 1) parts.emplace_back("2 on one router");
  if (network.routers() > 1) parts.emplace_back("3 in one group");
  if (network.groups() > 1) parts.push_back(hops_between_groups(network));
  return parts.empty() ? "" : fmt::format("hops: {}\n", fmt::join(parts, ", "));
}

}  // namespace

bool visit_node_pairs(const Network& network,
                      const std::function<void(std::uint32_t, std::uint32_t)>& visit) {
  if (network.nodes() <= max_exact_nodes) {
    for (std::uint32_t a = 0; a < network.nodes(); ++a) {
      for (std::uint32_t b = 0; b < a; ++b) visit(b, a);
    }
    return true;
  }
  // From a few nodes to many, so that a network that is searched needs few searches.
  Rng rng(1);
  for (std::uint64_t i = 0; i < sampled_nodes; ++i) {
    const auto a = static_cast<std::uint32_t>(rng.below(network.nodes()));
    for (std::uint64_t j = 0; j < samples_of_a_node; ++j) {
      const auto b = static_cast<std::uint32_t>(rng.below(network.nodes()));
      if (a != b) visit(a, b);
    }
  }
  return false;
}

void Spread::add(std::uint64_t distance) {
  least_ = std::min(least_, distance);
  most_ = std::max(most_, distance);
  sum_ += static_cast<double>(distance);
  ++pairs_;
}

double Spread::average() const {
  return sum_ / static_cast<double>(pairs_) / static_cast<double>(scale_);
}

NodeDistances node_distances(const Network& network) {
  NodeDistances distances{Spread(), Spread(network.cost_scale())};
  distances.exact = visit_node_pairs(network, [&](std::uint32_t a, std::uint32_t b) {
    distances.hops.add(network.hops(a, b));
    distances.costs.add(network.cost(a, b));
  });
  return distances;
}

std::string distances_text(const Network& network) {
  if (network.nodes() < 2) return "";
  const NodeDistances distances = node_distances(network);
  const std::string sample =
      distances.exact ? "" : fmt::format(" ({} random pairs)", distances.hops.pairs());
  const auto ends = [](const Spread& spread) {
    return fmt::format("{} to {}", quantity_text(spread.least()), quantity_text(spread.most()));
  };
  std::string text = fmt::format("two nodes are {:.2f} hops apart on average, {}{}\n",
                                 distances.hops.average(), ends(distances.hops), sample);
  if (!network.has_costs()) return text;
  return text + fmt::format("the cost between two nodes is {:.6g} on average, {}{}\n",
                            distances.costs.average(), ends(distances.costs), sample);
}

std::string network_picture(const NetworkMachine& machine) {
  const Network& network = machine.network();
  if (const auto* const dragonfly = dynamic_cast<const DragonflyNetwork*>(&network)) {
    return dragonfly_picture(*dragonfly);
  }
  return distances_text(network) + distance_table(network);
}

std::string dragonfly_picture(const DragonflyNetwork& network) {
  constexpr std::uint32_t max_routers = 8;
  const std::uint64_t groups = network.groups();
  const std::uint64_t routers = network.routers();
  const std::uint32_t per_router = network.nodes_per_router();
  std::string text = fmt::format("{} of {} with {} each\n", counted(groups, "group"),
                                 counted(routers, "router"), counted(per_router, "node"));
  text += fmt::format("links: {} to nodes, {} between routers of a group, {} between groups\n",
                      network.nodes(), groups * (routers * (routers - 1) / 2),
                      groups * (groups - 1) / 2);
  text += hops_text(network);
  text += distances_text(network);
  text += fmt::format(
      "\ngroup 0 ({} links between groups):\n",
      network.arrangement() == DragonflyNetwork::Arrangement::palmtree ? "palmtree" : "absolute");
  for (std::uint32_t router = 0; router < std::min(network.routers(), max_routers); ++router) {
    const std::uint32_t first = router * per_router;
    text += fmt::format("  router {}: {}{}\n", router,
                        per_router == 1 ? fmt::format("node {}", first)
                                        : fmt::format("nodes {}-{}", first, first + per_router - 1),
                        links_to_groups(network, router));
  }
  if (network.routers() > max_routers) {
    text += fmt::format("  ... and {}\n", counted(network.routers() - max_routers, "more router"));
  }
  return text;
}

}  // namespace kith::tools
