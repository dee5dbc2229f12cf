// Distances for searches that ask for millions of them.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "kith/detail/network_machine.hpp"
#include "objective/distance.hpp"

namespace kith::bottleneck {

/// Networks that are no grids compute distances in tens to hundreds of nanoseconds: here those
/// between nodes are in a table, 8 bytes each. All slots of a node are equally far from those of
/// another one.
class NodeDistances {
 public:
  /// True where the table takes at most 8 MiB and so many lookups are worth it.
  static bool suit(const NetworkMachine& machine, std::uint64_t lookups) {
    constexpr std::uint64_t most_nodes = 1024;
    const std::uint64_t nodes = machine.network().nodes();
    return nodes <= most_nodes && nodes * nodes <= lookups / 4;
  }

  /// The machine must outlive this.
  NodeDistances(const NetworkMachine& machine, Objective objective)
      : distance_(machine, objective),
        nodes_(machine.network().nodes()),
        slots_per_node_(machine.slots_per_node()) {
    if (slots_per_node_ > 1) by_slots_ = FastDivisor(slots_per_node_);
    table_.reserve(nodes_ * nodes_);
    for (std::uint32_t a = 0; a < nodes_; ++a) {
      for (std::uint32_t b = 0; b < nodes_; ++b) {
        table_.push_back(distance_(Slot(a * slots_per_node_), Slot(b * slots_per_node_)));
      }
    }
  }

  std::uint64_t operator()(Slot a, Slot b) const {
    const std::uint32_t from = node_of(a);
    const std::uint32_t to = node_of(b);
    return from == to ? distance_(a, b) : table_[from * nodes_ + to];
  }

 private:
  std::uint32_t node_of(Slot slot) const {
    return slots_per_node_ > 1 ? by_slots_.quotient(slot.value) : slot.value;
  }

  AnyDistance distance_;
  std::size_t nodes_;
  std::uint32_t slots_per_node_;
  FastDivisor by_slots_;
  std::vector<std::uint64_t> table_;  // a row for each node
};

/// Calls `function` with the fastest distance for so many lookups.
template <class Function>
decltype(auto) with_kept_distance(const Machine& machine, Objective objective,
                                  std::uint64_t lookups, Function&& function) {
  const NetworkMachine* network = machine.as_network();
  const bool is_grid = network != nullptr && network->network().as_grid() != nullptr;
  if (network != nullptr && !is_grid && NodeDistances::suit(*network, lookups)) {
    return std::forward<Function>(function)(NodeDistances(*network, objective));
  }
  return with_distance(machine, objective, std::forward<Function>(function));
}

}  // namespace kith::bottleneck
