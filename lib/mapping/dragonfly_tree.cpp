#include "mapping/dragonfly_tree.hpp"

#include <algorithm>
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

}  // namespace kith
