#include "machine/model/node_slots.hpp"

#include <algorithm>

#include "kith/detail/network_machine.hpp"
#include "kith/error.hpp"

namespace kith {

Slot end_of_node(const Machine& machine, Slot slot) {
  std::uint64_t end = slot.value + std::uint64_t{1};
  if (const NetworkMachine* network = machine.as_network()) {
    end = (machine.node_of(slot) + 1) * network->slots_per_node();
  } else if (const TreeMachine* tree = machine.as_tree(); tree && tree->slots_in_leaf_order()) {
    end = tree->first_leaf(tree->node_level(), machine.node_of(slot) + 1);
  }
  return Slot(static_cast<std::uint32_t>(end - 1));
}

std::uint64_t slots_on_node(const Machine& machine, std::uint64_t node) {
  if (const NetworkMachine* network = machine.as_network()) return network->slots_per_node();
  if (const TreeMachine* tree = machine.as_tree()) {
    const unsigned level = tree->node_level();
    return tree->first_leaf(level, node + 1) - tree->first_leaf(level, node);
  }
  std::uint64_t count = 0;
  for (std::uint32_t slot = 0; slot < machine.slots(); ++slot) {
    count += machine.node_of(Slot(slot)) == node ? 1 : 0;
  }
  return count;
}

std::vector<FreeNode> free_nodes(const Machine& machine, std::string_view where,
                                 Error (*wrong)(std::string_view, std::string_view,
                                                std::string_view)) {
  if (machine.nodes() > most_listed_nodes) {
    throw wrong(where, "a machine of at most " + std::to_string(most_listed_nodes) + " nodes",
                std::to_string(machine.nodes()));
  }
  std::vector<FreeNode> nodes;
  for_each_stretch(machine, [&](std::uint64_t node, SlotSet::Interval stretch) {
    nodes.push_back({static_cast<std::uint32_t>(node), stretch.first,
                     stretch.last.value - stretch.first.value + 1});
  });
  std::ranges::stable_sort(nodes, {}, &FreeNode::node);
  std::size_t kept = 0;
  for (const FreeNode& stretch : nodes) {
    if (kept > 0 && nodes[kept - 1].node == stretch.node) {
      nodes[kept - 1].slots += stretch.slots;
    } else {
      nodes[kept++] = stretch;
    }
  }
  nodes.resize(kept);
  return nodes;
}

SlotSet slots_of_nodes(const Machine& machine, const std::vector<std::uint32_t>& nodes) {
  std::vector<bool> wanted(machine.nodes());
  for (const std::uint32_t node : nodes) wanted[node] = true;
  std::vector<SlotSet::Interval> kept;
  for_each_stretch(machine, [&](std::uint64_t node, SlotSet::Interval stretch) {
    if (wanted[node]) kept.push_back(stretch);
  });
  return SlotSet::of(std::move(kept));
}

std::uint64_t node_hops(const Machine& machine, Slot a, Slot b) {
  std::uint64_t inside = 0;
  if (const NetworkMachine* network = machine.as_network()) {
    inside = network->node_tree() == nullptr ? 0 : 2ULL * network->node_tree()->depth();
  } else if (const TreeMachine* tree = machine.as_tree()) {
    inside = 2ULL * (tree->depth() - tree->node_level());
  }
  return machine.hops(a, b) - inside;
}

}  // namespace kith
