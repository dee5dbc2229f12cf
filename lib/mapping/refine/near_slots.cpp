#include "mapping/refine/near_slots.hpp"

#include <algorithm>

namespace kith {
namespace {

std::uint32_t lowest_arity(const NetworkMachine& machine) {
  const TreeMachine* tree = machine.node_tree();
  if (tree == nullptr) return 1;
  return static_cast<std::uint32_t>(tree->slots() / tree->objects(tree->depth() - 1));
}

}  // namespace

NearSlots::NearSlots(const Machine& machine, bool whole_groups)
    : machine_(machine), network_(machine.as_network()) {
  if (whole_groups && network_ != nullptr) group_size_ = lowest_arity(*network_);
}

SlotGroup NearSlots::group_of(Slot slot) const {
  return {Slot(slot.value - slot.value % group_size_), group_size_};
}

const std::vector<std::uint32_t>& NearSlots::nodes_near(std::uint32_t node) {
  constexpr std::size_t most_nodes = 12;
  const auto [found, is_new] = near_.try_emplace(node);
  if (is_new) network_->network().nearest(node, most_nodes, found->second);
  return found->second;
}

void NearSlots::add(Slot slot, std::vector<SlotGroup>& out) const {
  const SlotGroup group = group_of(slot);
  const Slot last(group.first.value + (group.size - 1));
  const SlotSet& allowed = machine_.allowed();
  if (allowed.index_of(group.first) == allowed.index_of(last) && !allowed.contains(last)) return;
  out.push_back(group);
}

void NearSlots::around(Slot slot, std::vector<SlotGroup>& out) {
  constexpr std::uint32_t most_groups_of_node = 8;
  constexpr std::uint64_t reach = 2;
  out.clear();
  add(slot, out);
  if (network_ != nullptr) {
    const std::uint32_t per_node = network_->slots_per_node();
    const std::uint32_t node = slot.value / per_node;
    const std::uint32_t place = slot.value % per_node;
    const std::uint32_t groups = std::min(per_node / group_size_, most_groups_of_node);
    for (std::uint32_t i = 1; i < groups; ++i) {
      add(Slot(node * per_node + (place + i * group_size_) % per_node), out);
    }
    for (const std::uint32_t other : nodes_near(node)) add(Slot(other * per_node + place), out);
  }
  const SlotSet& allowed = machine_.allowed();
  const std::uint64_t centre = allowed.index_of(slot);
  const std::uint64_t last = std::min(centre + reach, allowed.size() - 1);
  for (std::uint64_t i = centre - std::min(centre, reach); i <= last; ++i) add(allowed.at(i), out);
}

}  // namespace kith
