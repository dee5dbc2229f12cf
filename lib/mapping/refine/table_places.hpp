// Distances between the nodes of a small network from a table.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kith/network_machine.hpp"
#include "objective/distance.hpp"

namespace kith {

/// Networks compute distances in tens to hundreds of nanoseconds; searches that ask for millions
/// keep those between all nodes that have allowed slots, 8 bytes each.
class TablePlaces {
 public:
  struct Place {
    std::uint32_t node = 0;  ///< among those with allowed slots
    Slot slot;
  };

  /// True where the table takes at most 32 MiB.
  static bool suit(const NetworkMachine& machine) {
    constexpr std::size_t most_nodes = 2048;
    constexpr std::uint64_t most_slots = 1'000'000;
    return machine.allowed().size() <= most_slots && nodes_in_use(machine).size() <= most_nodes;
  }

  /// The machine must suit and outlive this.
  TablePlaces(const NetworkMachine& machine, Objective objective)
      : machine_(&machine), distance_(machine, objective), nodes_(nodes_in_use(machine)) {
    const std::uint32_t per_node = machine.slots_per_node();
    table_.reserve(nodes_.size() * nodes_.size());
    for (const std::uint32_t a : nodes_) {
      for (const std::uint32_t b : nodes_) {
        table_.push_back(
            a == b ? 0 : static_cast<double>(distance_(Slot(a * per_node), Slot(b * per_node))));
      }
    }
  }

  Place place(Slot slot) const {
    const auto node = static_cast<std::uint32_t>(machine_->node_of(slot));
    return {static_cast<std::uint32_t>(std::ranges::lower_bound(nodes_, node) - nodes_.begin()),
            slot};
  }

  auto from(const Place& from) const {
    return [this, from, row = table_.data() + from.node * nodes_.size()](const Place& to) {
      if (from.node != to.node) return row[to.node];
      return from.slot == to.slot ? 0 : static_cast<double>(distance_(from.slot, to.slot));
    };
  }

 private:
  static std::vector<std::uint32_t> nodes_in_use(const NetworkMachine& machine) {
    std::vector<std::uint32_t> nodes;
    for (const Slot slot : machine.allowed().to_vector()) {
      const auto node = static_cast<std::uint32_t>(machine.node_of(slot));
      if (nodes.empty() || nodes.back() != node) nodes.push_back(node);
    }
    return nodes;
  }

  const NetworkMachine* machine_;
  AnyDistance distance_;
  std::vector<std::uint32_t> nodes_;  // ascending
  std::vector<double> table_;         // a row for each
};

}  // namespace kith
