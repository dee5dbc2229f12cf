#include "kith/network_machine.hpp"
#include "kith/tree_machine.hpp"
#include "objective/link_load.hpp"
#include "objective/locality.hpp"

namespace kith {
namespace {

double links_of_tree(const TreeMachine& tree) {
  double links = 0;
  for (unsigned level = 1; level <= tree.depth(); ++level) {
    const LinkWidth width = tree.link_width(level);
    links += 2.0 * static_cast<double>(tree.objects(level)) * static_cast<double>(width.numerator) /
             static_cast<double>(width.denominator);
  }
  return links;
}

/// Between the nodes.
double links_of_grid(const GridNetwork& grid) {
  double links = 0;
  for (const std::uint32_t extent : grid.extents()) {
    const double lines = static_cast<double>(grid.nodes()) / extent;
    const bool ring = grid.periodic() && extent > 2;
    links += 2 * lines * (ring ? extent : extent - 1);
  }
  return links;
}

const GridNetwork* grid_of(const Machine& machine) {
  const NetworkMachine* network = machine.as_network();
  return network == nullptr ? nullptr : network->network().as_grid();
}

}  // namespace

std::optional<double> count_links(const Machine& machine) {
  if (const TreeMachine* tree = machine.as_tree()) return links_of_tree(*tree);
  const GridNetwork* grid = grid_of(machine);
  if (grid == nullptr) return std::nullopt;
  const TreeMachine* node_tree = machine.as_network()->node_tree();
  // With a tree in each node, one more joins its root to the network.
  const double in_node = node_tree == nullptr ? 0 : links_of_tree(*node_tree) + 2;
  return links_of_grid(*grid) + in_node * grid->nodes();
}

std::optional<double> average_link_load(const TrafficGraph& graph, const Machine& machine,
                                        const Mapping& mapping, std::uint64_t hop_bytes) {
  const auto links = count_links(machine);
  if (!links) return std::nullopt;
  if (*links == 0) return 0;
  Wide bytes = hop_bytes;  // each hop is a link, but those from a node's root to the network
  const NetworkMachine* network = machine.as_network();
  if (network != nullptr && network->node_tree() != nullptr) {
    std::vector<std::uint64_t> node_of;
    for (const Slot slot : mapping.slot_of) node_of.push_back(machine.node_of(slot));
    bytes += 2 * bytes_between(graph, node_of);
  }
  return to_double(bytes) / *links;
}

}  // namespace kith
