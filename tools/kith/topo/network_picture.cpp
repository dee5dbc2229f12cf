#include <fmt/format.h>

#include <algorithm>

#include "core/rng.hpp"
#include "topo/picture.hpp"

namespace kith::tools {
namespace {

/// Up to this many nodes all pairs are looked at, above a sample.
constexpr std::uint32_t max_exact_nodes = 1024;
constexpr std::uint64_t sampled_nodes = 64;
constexpr std::uint64_t samples_of_a_node = 1024;
constexpr std::uint32_t max_table_nodes = 16;

struct Spread {
  std::uint64_t least = UINT64_MAX;
  std::uint64_t most = 0;
  double sum = 0;
  std::uint64_t pairs = 0;

  void add(std::uint64_t hops) {
    least = std::min(least, hops);
    most = std::max(most, hops);
    sum += static_cast<double>(hops);
    ++pairs;
  }
};

Spread exact_spread(const Network& network) {
  Spread spread;
  for (std::uint32_t a = 0; a < network.nodes(); ++a) {
    for (std::uint32_t b = 0; b < a; ++b) spread.add(network.hops(b, a));
  }
  return spread;
}

/// From a few nodes to many, so that a network that is searched needs few searches.
Spread sampled_spread(const Network& network) {
  Spread spread;
  Rng rng(1);
  for (std::uint64_t i = 0; i < sampled_nodes; ++i) {
    const auto a = static_cast<std::uint32_t>(rng.below(network.nodes()));
    for (std::uint64_t j = 0; j < samples_of_a_node; ++j) {
      const auto b = static_cast<std::uint32_t>(rng.below(network.nodes()));
      if (a != b) spread.add(network.hops(a, b));
    }
  }
  return spread;
}

std::string spread_text(const Network& network) {
  if (network.nodes() < 2) return "";
  const bool exact = network.nodes() <= max_exact_nodes;
  const Spread spread = exact ? exact_spread(network) : sampled_spread(network);
  const double average = spread.sum / static_cast<double>(spread.pairs);
  if (exact) {
    return fmt::format("two nodes are {:.2f} hops apart on average, {} to {}\n", average,
                       spread.least, spread.most);
  }
  return fmt::format("two nodes are {:.2f} hops apart on average, {} to {} ({} random pairs)\n",
                     average, spread.least, spread.most, spread.pairs);
}

/// The hops between all nodes.
std::string hops_table(const Network& network) {
  if (network.nodes() < 2 || network.nodes() > max_table_nodes) return "";
  std::size_t cell = std::to_string(network.nodes() - 1).size();
  for (std::uint32_t a = 0; a < network.nodes(); ++a) {
    for (std::uint32_t b = 0; b < a; ++b) {
      cell = std::max(cell, std::to_string(network.hops(a, b)).size());
    }
  }
  if ((cell + 1) * (network.nodes() + 1) > 80) return "";
  std::string text = fmt::format("\nhops\n{:>{}}", "", cell + 1);
  for (std::uint32_t b = 0; b < network.nodes(); ++b) text += fmt::format(" {:>{}}", b, cell);
  text += '\n';
  for (std::uint32_t a = 0; a < network.nodes(); ++a) {
    text += fmt::format("{:>{}} ", a, cell);
    for (std::uint32_t b = 0; b < network.nodes(); ++b) {
      text += a == b ? fmt::format(" {:>{}}", ".", cell)
                     : fmt::format(" {:>{}}", network.hops(a, b), cell);
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
  text += "hops: 2 on one router, 3 in one group, 3 to 5 between groups\n";
  text += spread_text(network);
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

}  // namespace

std::string network_picture(const NetworkMachine& machine) {
  const Network& network = machine.network();
  if (const auto* const dragonfly = dynamic_cast<const DragonflyNetwork*>(&network)) {
    return dragonfly_picture(*dragonfly);
  }
  return spread_text(network) + hops_table(network);
}

}  // namespace kith::tools
