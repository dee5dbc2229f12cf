#include "mapping/slot_tree.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "core/rng.hpp"
#include "kith/detail/network_machine.hpp"
#include "kith/detail/tree_machine.hpp"
#include "mapping/budget.hpp"

namespace kith {
namespace {

constexpr std::uint64_t scale = 64;  // averages are no whole numbers of hops

/// What nodes of different groups are apart on average, of pairs drawn at random, in 1/scale.
std::uint64_t between_groups(const NetworkMachine& machine, const DragonflyNetwork& network) {
  constexpr std::uint64_t draws = 256;
  const std::uint64_t slots_of_group =
      std::uint64_t{network.routers()} * network.nodes_per_router() * machine.slots_per_node();
  Rng random(1);
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < draws; ++i) {
    const std::uint64_t group = random.below(network.groups());
    const std::uint64_t other = (group + 1 + random.below(network.groups() - 1)) % network.groups();
    const auto any_in = [&](std::uint64_t of) {
      return Slot(static_cast<std::uint32_t>(of * slots_of_group + random.below(slots_of_group)));
    };
    sum += scale * machine.hops(any_in(group), any_in(other));
  }
  return sum / draws;
}

/// Levels with one child each are left out: nothing meets there.
std::unique_ptr<Machine> tree_of(const NetworkMachine& machine, const DragonflyNetwork& network) {
  SymmetricTree tree;
  tree.cost_scale = scale;
  tree.spec = "a tree of groups, routers and nodes";
  const auto add = [&](std::uint32_t arity, std::uint64_t cost) {
    if (arity < 2) return;
    tree.arities.push_back(arity);
    tree.costs.push_back(cost);
  };
  const std::uint32_t in_node = machine.slots_per_node();
  const auto apart = [&](std::uint64_t slot) {
    return scale * machine.hops(Slot(0), Slot(static_cast<std::uint32_t>(slot)));
  };
  if (network.groups() > 1) add(network.groups(), between_groups(machine, network));
  if (network.routers() > 1) {
    add(network.routers(), apart(std::uint64_t{network.nodes_per_router()} * in_node));
  }
  if (network.nodes_per_router() > 1) add(network.nodes_per_router(), apart(in_node));
  if (const TreeMachine* inside = machine.node_tree()) {
    for (unsigned level = 0; level < inside->depth(); ++level) {
      const auto arity = static_cast<std::uint32_t>(inside->first_child(level, 1));
      add(arity, scale * inside->level_hops()[level]);
    }
  }
  if (tree.arities.empty()) return nullptr;
  return TreeMachine::symmetric(std::move(tree))->restricted_to(machine.allowed());
}

}  // namespace

std::optional<DragonflyTree> DragonflyTree::of(const MapTask& problem) {
  const NetworkMachine* machine = problem.machine.as_network();
  if (machine == nullptr) return std::nullopt;
  const auto* network = dynamic_cast<const DragonflyNetwork*>(&machine->network());
  if (network == nullptr) return std::nullopt;
  auto tree = tree_of(*machine, *network);
  if (tree == nullptr) return std::nullopt;
  return DragonflyTree(problem, std::move(tree));
}

DragonflyTree::DragonflyTree(const MapTask& original, std::unique_ptr<Machine> machine)
    : original_(original), machine_(std::move(machine)), options_(original.options) {
  options_.objective = Objective::sum_com;
  options_.goal.reset();
  options_.from.reset();
  options_.fixed.clear();
}

std::vector<std::uint32_t> proportional_shares(std::uint64_t total,
                                               std::span<const std::uint64_t> weights) {
  const std::uint64_t sum = std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
  std::vector<std::uint32_t> shares;
  shares.reserve(weights.size());
  std::uint64_t left = total;
  for (const std::uint64_t weight : weights) {
    shares.push_back(static_cast<std::uint32_t>(total * weight / sum));
    left -= shares.back();
  }
  std::vector<std::uint32_t> order(weights.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto remainder = [&](std::uint32_t i) { return total * weights[i] % sum; };
  const auto end = order.begin() + static_cast<std::ptrdiff_t>(left);
  std::ranges::partial_sort(order, end, [&](std::uint32_t a, std::uint32_t b) {
    return remainder(a) != remainder(b) ? remainder(a) > remainder(b) : a < b;
  });
  for (auto one_more = order.begin(); one_more != end; ++one_more) ++shares[*one_more];
  return shares;
}

SlotTree::SlotTree(const Machine& machine) : machine_(machine) {
  if (const TreeMachine* tree = machine.as_tree()) {
    depth_ = tree->depth();
    node_level_ = tree->node_level();
    if (!tree->slots_in_leaf_order()) list_by_leaf();
  } else if (const NetworkMachine* network = machine.as_network()) {
    depth_ = 1 + (network->node_tree() == nullptr ? 0 : network->node_tree()->depth());
    node_level_ = 1;
  } else {
    depth_ = 2;
    node_level_ = 1;
    list_by_node();
  }
}

void SlotTree::list_by_leaf() {
  const TreeMachine& tree = *machine_.as_tree();
  keys_ = tree.allowed_leaves();
  listed_.reserve(keys_.size());
  for (const std::uint32_t leaf : keys_) listed_.push_back(tree.slot_of_leaf(leaf));
}

void SlotTree::list_by_node() {
  listed_ = machine_.allowed().to_vector();
  std::ranges::stable_sort(listed_, {}, [&](Slot slot) { return machine_.node_of(slot); });
  keys_.reserve(listed_.size());
  for (const Slot slot : listed_) {
    keys_.push_back(static_cast<std::uint32_t>(machine_.node_of(slot)));
  }
}

std::uint64_t SlotTree::end_of(unsigned level, std::uint64_t position) const {
  const auto before = [&](std::uint64_t slot) {
    return machine_.allowed().index_of(Slot(static_cast<std::uint32_t>(slot)));
  };
  const auto listed_before = [&](std::uint64_t key) {
    return static_cast<std::uint64_t>(std::ranges::lower_bound(keys_, key) - keys_.begin());
  };
  if (const TreeMachine* tree = machine_.as_tree()) {
    const std::uint64_t leaf = listed_.empty() ? slot(position).value : keys_[position];
    const std::uint64_t end = tree->first_leaf(level, tree->ancestor(leaf, level) + 1);
    return listed_.empty() ? before(end) : listed_before(end);
  }
  if (const NetworkMachine* network = machine_.as_network()) {
    const std::uint64_t at = slot(position).value;
    const std::uint64_t first = at - at % network->slots_per_node();
    if (level == 1) return before(first + network->slots_per_node());
    const TreeMachine& inside = *network->node_tree();
    const std::uint64_t object = inside.ancestor(at - first, level - 1);
    return before(first + inside.first_leaf(level - 1, object + 1));
  }
  return level == 1 ? listed_before(std::uint64_t{keys_[position]} + 1) : position + 1;
}

void SlotTree::split(const Object& object, std::vector<Object>& out) const {
  out.clear();
  for (std::uint64_t at = object.first; at < object.last;) {
    const std::uint64_t end = end_of(object.level + 1, at);
    out.push_back({object.level + 1, at, end});
    at = end;
  }
}

void SlotTree::children(const Object& object, std::vector<Object>& out) const {
  Object at = object;
  while (at.level < depth_) {
    split(at, out);
    if (out.size() > 1) return;
    at = out.front();
  }
  out.clear();
}

std::vector<SlotTree::Object> SlotTree::nodes() const {
  std::vector<Object> nodes;
  for (std::uint64_t at = 0; at < root().last;) {
    const std::uint64_t end = node_level_ == 0 ? root().last : end_of(node_level_, at);
    nodes.push_back({node_level_, at, end});
    at = end;
  }
  return nodes;
}

}  // namespace kith
