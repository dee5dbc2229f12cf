#include "mapping/refine/near_slots.hpp"

#include <algorithm>

namespace kith {

SlotProposals::SlotProposals(const Machine& machine)
    : machine_(machine),
      network_(machine.as_network()),
      all_allowed_(machine.allowed().size() == machine.slots()) {
  const GridNetwork* grid = network_ == nullptr ? nullptr : network_->network().as_grid();
  if (grid == nullptr) return;
  std::uint32_t stride = 1;
  for (std::size_t d = grid->extents().size(); d-- > 0;) {
    if (grid->extents()[d] > 1) dimensions_.push_back({grid->extents()[d], stride});
    stride *= grid->extents()[d];
  }
}

Slot SlotProposals::near_in_tree(const TreeMachine& tree, Slot slot, Rng& rng) const {
  const std::uint64_t leaf = tree.leaf_of_slot(slot);
  unsigned level = tree.depth() - 1;
  while (level > 0 && (rng.next() >> 63) != 0) --level;
  const std::uint64_t object = tree.ancestor(leaf, level);
  const std::uint64_t first = tree.first_leaf(level, object);
  return tree.slot_of_leaf(first + rng.below(tree.first_leaf(level, object + 1) - first));
}

std::uint32_t SlotProposals::step(const GridNetwork& grid, std::uint32_t node, Rng& rng) const {
  const std::uint64_t random = rng.next();
  const Dimension& along = dimensions_[(random >> 1) % dimensions_.size()];
  const std::uint32_t at = node / along.stride % along.extent;
  const bool up = (random & 1) != 0;
  const bool leaves = up ? at + 1 == along.extent : at == 0;
  if (!leaves) return up ? node + along.stride : node - along.stride;
  if (!grid.periodic()) return up ? node - along.stride : node + along.stride;
  const std::uint32_t around = (along.extent - 1) * along.stride;
  return up ? node - around : node + around;
}

std::uint32_t SlotProposals::node_near(std::uint32_t node, Rng& rng) {
  constexpr std::size_t most_nodes = 12;
  constexpr std::uint64_t far_steps = 4;  // one in so many goes two steps
  const Network& network = network_->network();
  if (network.nodes() == 1) return node;
  if (const GridNetwork* grid = network.as_grid()) {
    node = step(*grid, node, rng);
    return rng.below(far_steps) == 0 ? step(*grid, node, rng) : node;
  }
  const auto [found, is_new] = nearest_.try_emplace(node);
  if (is_new) network.nearest(node, most_nodes, found->second);
  const std::vector<std::uint32_t>& nodes = found->second;
  return nodes.empty() ? node : nodes[rng.below(nodes.size())];
}

Slot SlotProposals::near(Slot slot, Rng& rng) {
  constexpr std::uint64_t reach = 2;
  Slot near = slot;
  if (const TreeMachine* tree = machine_.as_tree()) {
    near = near_in_tree(*tree, slot, rng);
  } else if (network_ != nullptr) {
    const std::uint32_t per_node = network_->slots_per_node();
    const std::uint32_t node = slot.value / per_node;
    const bool stays = per_node > 1 && rng.below(4) == 0;
    const std::uint32_t other = stays ? node : node_near(node, rng);
    near = Slot(other * per_node + static_cast<std::uint32_t>(rng.below(per_node)));
  }
  const SlotSet& allowed = machine_.allowed();
  if (near != slot && (all_allowed_ || allowed.contains(near))) return near;
  const std::uint64_t index = allowed.index_of(near);
  const std::uint64_t first = index - std::min(index, reach);
  return allowed.at(std::min(first + rng.below(2 * reach + 1), allowed.size() - 1));
}

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
