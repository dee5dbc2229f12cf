#include "mapping/refine/near_slots.hpp"

#include <algorithm>
#include <bit>

namespace kith {

SlotProposals::SlotProposals(const Machine& machine)
    : machine_(machine),
      network_(machine.as_network()),
      tree_(machine.as_tree()),
      all_allowed_(machine.allowed().size() == machine.slots()) {
  if (tree_ != nullptr && tree_->is_symmetric()) {
    for (unsigned l = 0; l < tree_->depth(); ++l) {
      leaves_below_.push_back(static_cast<std::uint32_t>(tree_->slots() / tree_->objects(l)));
      by_leaves_below_.push_back(leaves_below_[l] > 1 ? FastDivisor(leaves_below_[l])
                                                      : FastDivisor());
    }
  }
  if (network_ == nullptr) return;
  per_node_ = network_->slots_per_node();
  if (per_node_ > 1) by_per_node_ = FastDivisor(per_node_);
  if (network_->network().as_grid() != nullptr) set_steps(*network_->network().as_grid());
}

void SlotProposals::set_steps(const GridNetwork& grid) {
  constexpr std::uint64_t most_steps = 4'000'000;
  std::uint32_t stride = 1;
  for (std::size_t d = grid.extents().size(); d-- > 0;) {
    if (grid.extents()[d] > 1) dimensions_.push_back({grid.extents()[d], stride});
    stride *= grid.extents()[d];
  }
  const auto directions = static_cast<std::uint32_t>(2 * dimensions_.size());
  if (std::uint64_t{grid.nodes()} * directions > most_steps) return;
  steps_.reserve(std::size_t{grid.nodes()} * directions);
  for (std::uint32_t node = 0; node < grid.nodes(); ++node) {
    for (std::uint32_t way = 0; way < directions; ++way) {
      steps_.push_back(step(node, way, grid.periodic()));
    }
  }
}

/// At the end of a mesh back.
std::uint32_t SlotProposals::step(std::uint32_t node, std::uint32_t way, bool periodic) const {
  const Dimension& along = dimensions_[way / 2];
  const std::uint32_t at = node / along.stride % along.extent;
  const bool up = way % 2 == 0;
  const bool leaves = up ? at + 1 == along.extent : at == 0;
  if (!leaves) return up ? node + along.stride : node - along.stride;
  if (!periodic) return up ? node - along.stride : node + along.stride;
  const std::uint32_t around = (along.extent - 1) * along.stride;
  return up ? node - around : node + around;
}

Slot SlotProposals::near_in_tree(const TreeMachine& tree, Slot slot, unsigned climb,
                                 QuickRng& rng) const {
  const std::uint32_t leaf = tree.leaf_of_slot(slot);
  const std::uint64_t random = rng.next();
  const auto up = static_cast<unsigned>(std::countr_zero(random | std::uint64_t{1} << 31));
  const unsigned level = tree.depth() - 1 - std::min(up + climb, tree.depth() - 1);
  if (!leaves_below_.empty()) {
    const std::uint32_t below = leaves_below_[level];
    if (below == 1) return slot;
    const std::uint32_t first = by_leaves_below_[level].quotient(leaf) * below;
    return tree.slot_of_leaf(first + QuickRng::scaled(random >> 32, below));
  }
  const std::uint64_t object = tree.ancestor(leaf, level);
  const std::uint64_t first = tree.first_leaf(level, object);
  const std::uint64_t count = tree.first_leaf(level, object + 1) - first;
  return tree.slot_of_leaf(
      first + QuickRng::scaled(random >> 32, static_cast<std::uint32_t>(count)));
}

std::uint32_t SlotProposals::node_near(std::uint32_t node, QuickRng& rng) {
  constexpr std::size_t most_nodes = 12;
  constexpr std::uint32_t far_steps = 4;  // one in so many goes two steps
  const Network& network = network_->network();
  if (network.nodes() == 1) return node;
  if (const GridNetwork* grid = network.as_grid()) {
    const std::uint64_t random = rng.next();
    const auto directions = static_cast<std::uint32_t>(2 * dimensions_.size());
    const auto leads = [&](std::uint32_t from, std::uint64_t bits) {
      const std::uint32_t way = QuickRng::scaled(bits, directions);
      return steps_.empty() ? step(from, way, grid->periodic())
                            : steps_[std::size_t{from} * directions + way];
    };
    node = leads(node, random >> 32);
    return random % far_steps == 0 ? leads(node, random & 0xffffffff) : node;
  }
  const auto [found, is_new] = nearest_.try_emplace(node);
  if (is_new) network.nearest(node, most_nodes, found->second);
  const std::vector<std::uint32_t>& nodes = found->second;
  return nodes.empty() ? node : nodes[rng.below(static_cast<std::uint32_t>(nodes.size()))];
}

Slot SlotProposals::anywhere_near(Slot slot, unsigned climb, QuickRng& rng) {
  if (tree_ != nullptr) return near_in_tree(*tree_, slot, climb, rng);
  if (network_ == nullptr) return slot;
  if (per_node_ == 1) return Slot(node_near(slot.value, rng));
  const std::uint32_t node = by_per_node_.quotient(slot.value);
  const std::uint64_t random = rng.next();
  const std::uint32_t other = random % 4 == 0 ? node : node_near(node, rng);
  return Slot(other * per_node_ + QuickRng::scaled(random >> 32, per_node_));
}

Slot SlotProposals::allowed_near(Slot slot, Slot near, QuickRng& rng) const {
  constexpr std::uint32_t reach = 2;
  const SlotSet& allowed = machine_.allowed();
  if (near != slot && (all_allowed_ || allowed.contains(near))) return near;
  const std::uint64_t index = allowed.index_of(near);
  const std::uint64_t first = index - std::min<std::uint64_t>(index, reach);
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
