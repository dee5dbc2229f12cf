// Random graphs, machines and mappings for tests.
#pragma once

#include <algorithm>
#include <random>

#include "kith/detail/tree_machine.hpp"
#include "kith/mapping.hpp"
#include "kith/traffic.hpp"

namespace kith::testing {

/// Each ordered pair, the diagonal too, sends with probability `density`, 1 .. max_weight.
inline TrafficMatrix random_matrix(std::mt19937_64& random, std::uint32_t ranks, double density,
                                   Weight max_weight) {
  TrafficMatrixBuilder builder(ranks);
  std::uniform_real_distribution<double> uniform;
  for (std::uint32_t i = 0; i < ranks; ++i) {
    for (std::uint32_t j = 0; j < ranks; ++j) {
      if (uniform(random) < density) builder.add(Rank(i), Rank(j), 1 + random() % max_weight);
    }
  }
  return builder.build();
}

/// Symmetric, with or without random costs, 2 to max_slots slots.
inline std::unique_ptr<TreeMachine> random_symmetric_tree(std::mt19937_64& random,
                                                          std::uint32_t max_slots) {
  while (true) {
    std::vector<std::uint32_t> arities(1 + random() % 4);
    std::uint64_t slots = 1;
    for (auto& arity : arities) {
      arity = 1 + static_cast<std::uint32_t>(random() % 5);
      slots *= arity;
    }
    if (slots < 2 || slots > max_slots) continue;
    std::vector<std::uint64_t> costs;
    if (random() % 2 == 0) {
      for (std::size_t l = 0; l < arities.size(); ++l) costs.push_back(1 + random() % 100);
      std::ranges::sort(costs, std::greater{});
    }
    return TreeMachine::symmetric(arities, costs, 1, "tree");
  }
}

/// Unequal numbers of children, slots shuffled over the leaves.
inline std::unique_ptr<TreeMachine> random_unequal_tree(std::mt19937_64& random) {
  TreeDescription tree;
  std::size_t objects = 1;
  const std::size_t depth = 1 + random() % 4;
  for (std::size_t l = 0; l < depth; ++l) {
    std::vector<std::uint32_t> children(objects);
    objects = 0;
    for (auto& count : children) objects += count = 1 + static_cast<std::uint32_t>(random() % 4);
    tree.children.push_back(children);
    tree.names.emplace_back(1, static_cast<char>('a' + l));
  }
  for (std::uint32_t i = 0; i < objects; ++i) tree.slot_of_leaf.emplace_back(i);
  std::shuffle(tree.slot_of_leaf.begin(), tree.slot_of_leaf.end(), random);
  tree.kind = "job";
  tree.spec = "job";
  return TreeMachine::from(tree);
}

/// Hides that a machine is a tree: for the code that any machine takes.
class PlainMachine final : public Machine {
 public:
  explicit PlainMachine(const TreeMachine& tree) : tree_(tree) {
    spec_ = tree.spec();
    slots_ = tree.slots();
    pus_ = tree.pus();
    allowed_ = tree.allowed();
  }
  std::string_view kind() const override { return "plain"; }
  std::uint64_t hops(Slot a, Slot b) const override { return tree_.hops(a, b); }
  std::uint64_t cost(Slot a, Slot b) const override { return tree_.cost(a, b); }
  bool has_costs() const override { return tree_.has_costs(); }
  std::uint64_t cost_scale() const override { return tree_.cost_scale(); }
  std::uint64_t lowest_cost() const override { return tree_.lowest_cost(); }
  std::uint64_t nodes() const override { return tree_.nodes(); }
  std::uint64_t node_of(Slot slot) const override { return tree_.node_of(slot); }

 protected:
  std::unique_ptr<Machine> clone() const override { return std::make_unique<PlainMachine>(*this); }

 private:
  const TreeMachine& tree_;
};

/// At most `capacity` ranks on each allowed slot.
inline Mapping random_mapping(std::mt19937_64& random, std::uint32_t ranks, const Machine& machine,
                              std::uint32_t capacity) {
  std::vector<Slot> places;
  for (const Slot slot : machine.allowed().to_vector()) {
    places.insert(places.end(), capacity, slot);
  }
  std::shuffle(places.begin(), places.end(), random);
  places.resize(ranks);
  return {places};
}

}  // namespace kith::testing
