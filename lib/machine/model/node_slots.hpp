// The nodes of a machine by what may be used of them.
#pragma once

#include <cstdint>
#include <vector>

#include "kith/machine.hpp"

namespace kith {

/// A node that has allowed slots.
struct FreeNode {
  std::uint32_t node = 0;
  Slot first = no_slot;     ///< stands for the node in distances
  std::uint32_t slots = 0;  ///< allowed
};

/// Ascending. O(nodes) where slots of a node are consecutive, else O(slots). Throws Error (input)
/// for more than 2^27 nodes: `option` wants them in memory.
std::vector<FreeNode> free_nodes(const Machine& machine, std::string_view option);

/// The allowed slots of some nodes.
SlotSet slots_of_nodes(const Machine& machine, const std::vector<std::uint32_t>& nodes);

/// Hops between two different nodes, without those inside them.
std::uint64_t node_hops(const Machine& machine, Slot a, Slot b);

}  // namespace kith
