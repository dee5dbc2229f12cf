#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "topo/node_distances.hpp"
#include "topo/picture.hpp"

namespace kith::tools {
namespace {

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
