#include "mapping/remap/hierarchy.hpp"

#include <algorithm>

namespace kith::remap {
namespace {

/// The shape of an object all of whose leaves are allowed, in a hierarchy of equal objects.
constexpr std::uint32_t whole = 0;

}  // namespace

std::optional<Hierarchy> Hierarchy::of(const Machine& machine) {
  if (const TreeMachine* tree = machine.as_tree()) return Hierarchy(*tree);
  if (const NetworkMachine* network = machine.as_network()) return Hierarchy(*network);
  return std::nullopt;
}

Hierarchy::Hierarchy(const TreeMachine& tree)
    : machine_(&tree), tree_(&tree), depth_(tree.depth()), uniform_(tree.is_symmetric()) {
  if (!tree.slots_in_leaf_order()) allowed_leaves_ = tree.allowed_leaves();
  shapes_.resize(depth_ + 1);
  known_.resize(depth_ + 1);
}

Hierarchy::Hierarchy(const NetworkMachine& network) : machine_(&network) {
  const auto* dragonfly = dynamic_cast<const DragonflyNetwork*>(&network.network());
  const std::uint32_t together = dragonfly != nullptr ? dragonfly->nodes_per_router() : 1;
  children_ = {network.nodes() / together, together};
  if (const TreeMachine* tree = network.node_tree()) {
    for (unsigned level = 0; level < tree->depth(); ++level) {
      children_.push_back(tree->objects(level + 1) / tree->objects(level));
    }
  }
  depth_ = static_cast<unsigned>(children_.size());
  shapes_.resize(depth_ + 1);
  known_.resize(depth_ + 1);
}

std::uint32_t Hierarchy::leaf_of(Slot slot) const {
  return tree_ != nullptr ? tree_->leaf_of_slot(slot) : slot.value;
}

Slot Hierarchy::slot_of(std::uint32_t leaf) const {
  return tree_ != nullptr ? tree_->slot_of_leaf(leaf) : Slot(leaf);
}

std::uint32_t Hierarchy::parent(unsigned level, std::uint32_t object) const {
  if (tree_ != nullptr) return static_cast<std::uint32_t>(tree_->parent(level, object));
  return static_cast<std::uint32_t>(object / children_[level - 1]);
}

std::uint64_t Hierarchy::first_child(unsigned level, std::uint64_t object) const {
  return tree_ != nullptr ? tree_->first_child(level, object) : object * children_[level];
}

Hierarchy::Leaves Hierarchy::leaves_below(unsigned level, std::uint64_t object) const {
  Leaves leaves{object, object + 1};
  for (; level < depth_; ++level) {
    leaves = {first_child(level, leaves.first), first_child(level, leaves.last)};
  }
  return leaves;
}

std::uint64_t Hierarchy::allowed_among(Leaves leaves) const {
  if (!allowed_leaves_.empty()) {
    const auto first = std::ranges::lower_bound(allowed_leaves_, leaves.first);
    return static_cast<std::uint64_t>(
        std::ranges::lower_bound(first, allowed_leaves_.end(), leaves.last) - first);
  }
  // As there are at most 2^32 - 1 slots, `last` is one that slots are below.
  const SlotSet& allowed = machine_->allowed();
  return allowed.index_of(Slot(static_cast<std::uint32_t>(leaves.last))) -
         allowed.index_of(Slot(static_cast<std::uint32_t>(leaves.first)));
}

std::uint32_t Hierarchy::shape(unsigned level, std::uint32_t object) {
  const Leaves leaves = leaves_below(level, object);
  const std::uint64_t allowed = allowed_among(leaves);
  if (allowed == 0) return no_shape;
  if (level == depth_ || (uniform_ && allowed == leaves.last - leaves.first)) return whole;
  const auto known = known_[level].find(object);
  if (known != known_[level].end()) return known->second;
  const std::uint32_t shape = shape_of_children(level, object);
  known_[level].emplace(object, shape);
  return shape;
}

std::uint32_t Hierarchy::shape_of_children(unsigned level, std::uint32_t object) {
  Children children;
  if (level + 1 == depth_) {
    children[whole] = allowed_among(leaves_below(level, object));
  } else {
    const std::uint64_t last = first_child(level, std::uint64_t{object} + 1);
    for (std::uint64_t child = first_child(level, object); child < last; ++child) {
      const std::uint32_t one = shape(level + 1, static_cast<std::uint32_t>(child));
      if (one != no_shape) ++children[one];
    }
  }
  const auto next = static_cast<std::uint32_t>(shapes_[level].size() + 1);  // after `whole`
  return shapes_[level].try_emplace(std::move(children), next).first->second;
}

}  // namespace kith::remap
