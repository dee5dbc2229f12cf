// Distances as inlined function objects: the machine's type is looked at once, not at each pair.
#pragma once

#include <utility>

#include "kith/objective.hpp"
#include "kith/tree_machine.hpp"
#include "objective/grid_distance.hpp"

namespace kith {

/// What an objective charges per unit of weight between two slots of a tree.
class TreeDistance {
 public:
  TreeDistance(const TreeMachine& tree, Objective objective)
      : tree_(&tree),
        by_level_(objective == Objective::hop_bytes ? tree.level_hops().data()
                                                    : tree.level_cost().data()) {}
  std::uint64_t operator()(Slot a, Slot b) const { return by_level_[tree_->meeting(a, b)]; }
  const TreeMachine& tree() const { return *tree_; }
  std::uint64_t at_level(unsigned level) const { return by_level_[level]; }

 private:
  const TreeMachine* tree_;
  const std::uint64_t* by_level_;
};

/// The same on any machine.
class AnyDistance {
 public:
  AnyDistance(const Machine& machine, Objective objective)
      : machine_(&machine), objective_(objective) {}
  std::uint64_t operator()(Slot a, Slot b) const {
    return objective_ == Objective::hop_bytes ? machine_->hops(a, b) : machine_->cost(a, b);
  }

 private:
  const Machine* machine_;
  Objective objective_;
};

/// Calls `function` with the fastest distance that the machine has.
template <class Function>
decltype(auto) with_distance(const Machine& machine, Objective objective, Function&& function) {
  if (const TreeMachine* tree = machine.as_tree()) {
    return std::forward<Function>(function)(TreeDistance(*tree, objective));
  }
  const NetworkMachine* network = machine.as_network();
  if (network != nullptr && network->network().as_grid() != nullptr) {
    return std::forward<Function>(function)(GridDistance(*network));
  }
  return std::forward<Function>(function)(AnyDistance(machine, objective));
}

}  // namespace kith
