#include "machine/model/node_slots.hpp"

#include <algorithm>

#include "kith/error.hpp"
#include "kith/network_machine.hpp"

namespace kith {
namespace {

constexpr std::uint64_t most_nodes = std::uint64_t{1} << 27;

std::vector<FreeNode> nodes_of_network(const NetworkMachine& machine) {
  std::vector<FreeNode> list;
  const std::uint64_t each = machine.slots_per_node();
  const SlotSet& allowed = machine.allowed();
  std::uint64_t before = 0;
  for (std::uint32_t node = 0; node < machine.nodes(); ++node) {
    const std::uint64_t end = (node + std::uint64_t{1}) * each;
    const std::uint64_t up_to = end >= machine.slots()
                                    ? allowed.size()
                                    : allowed.index_of(Slot(static_cast<std::uint32_t>(end)));
    if (up_to > before) {
      list.push_back({node, allowed.at(before), static_cast<std::uint32_t>(up_to - before)});
    }
    before = up_to;
  }
  return list;
}

template <class Visit>
void for_each_allowed(const Machine& machine, Visit&& visit) {
  for (const SlotSet::Interval& interval : machine.allowed().intervals()) {
    for (Slot slot = interval.first;; ++slot) {
      visit(slot);
      if (slot == interval.last) break;
    }
  }
}

}  // namespace

std::vector<FreeNode> free_nodes(const Machine& machine, std::string_view option) {
  if (machine.nodes() > most_nodes) {
    throw bad_input(option, "a machine of at most " + std::to_string(most_nodes) + " nodes",
                    std::to_string(machine.nodes()));
  }
  if (const NetworkMachine* network = machine.as_network()) return nodes_of_network(*network);
  std::vector<FreeNode> all(machine.nodes());
  for_each_allowed(machine, [&](Slot slot) {
    const std::uint64_t node = machine.node_of(slot);
    FreeNode& known = all[node];
    if (known.slots++ == 0) known = {static_cast<std::uint32_t>(node), slot, 1};
  });
  std::erase_if(all, [](const FreeNode& node) { return node.slots == 0; });
  return all;
}

SlotSet slots_of_nodes(const Machine& machine, const std::vector<std::uint32_t>& nodes) {
  std::vector<Slot> slots;
  if (const NetworkMachine* network = machine.as_network()) {
    const std::uint32_t each = network->slots_per_node();
    for (const std::uint32_t node : nodes) {
      for (std::uint32_t i = 0; i < each; ++i) {
        const Slot slot(node * each + i);
        if (machine.allowed().contains(slot)) slots.push_back(slot);
      }
    }
    return SlotSet::of(std::move(slots));
  }
  std::vector<bool> chosen(machine.nodes());
  for (const std::uint32_t node : nodes) chosen[node] = true;
  for_each_allowed(machine, [&](Slot slot) {
    if (chosen[machine.node_of(slot)]) slots.push_back(slot);
  });
  return SlotSet::of(std::move(slots));
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
