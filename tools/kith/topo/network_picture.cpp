#include <fmt/format.h>

#include <algorithm>

#include "metrics_output.hpp"
#include "topo/node_distances.hpp"
#include "topo/picture.hpp"

namespace kith::tools {
namespace {

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

}  // namespace

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

}  // namespace kith::tools
