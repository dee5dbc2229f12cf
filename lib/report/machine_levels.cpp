#include "report/machine_levels.hpp"

#include "kith/network_machine.hpp"

namespace kith {

MachineLevels::MachineLevels(const Machine& machine) : machine_(machine) {
  if (const TreeMachine* const tree = machine.as_tree()) {
    tree_ = tree;
    add_tree(*tree, 1, machine.cost_scale());
    return;
  }
  levels_.push_back({"network", 1, std::nullopt});
  const NetworkMachine* const network = machine.as_network();
  slots_per_node_ = network != nullptr ? network->slots_per_node() : 1;
  tree_ = network != nullptr ? network->node_tree() : nullptr;
  if (tree_ != nullptr) add_tree(*tree_, machine.nodes(), 1);
}

void MachineLevels::add_tree(const TreeMachine& tree, std::uint64_t trees,
                             std::uint64_t cost_scale) {
  for (const Level& level : tree.levels()) {
    levels_.push_back({level.name, level.objects * trees, Quantity{level.cost, cost_scale}});
  }
}

std::size_t MachineLevels::of(Slot a, Slot b) const {
  if (a == b) return levels_.size();
  if (slots_per_node_ == 0) return tree_->meeting(a, b);
  if (tree_ == nullptr || machine_.node_of(a) != machine_.node_of(b)) return 0;
  return 1 + tree_->meeting(Slot(a.value % slots_per_node_), Slot(b.value % slots_per_node_));
}

}  // namespace kith
