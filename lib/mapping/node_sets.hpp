// Sets of nodes that are near to each other.
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

/// Ascending. O(slots).
std::vector<FreeNode> free_nodes(const Machine& machine);

/// Indices into `free`, ascending.
using NodeSet = std::vector<std::uint32_t>;

/// Up to `most` different sets that each have at least `slots` slots and contain `given` (indices
/// into `free`), the one with the fewest hops between its nodes first. Precondition: all of `free`
/// has enough slots. At most some 10^8 distances.
std::vector<NodeSet> close_node_sets(const Machine& machine, const std::vector<FreeNode>& free,
                                     std::uint64_t slots, const NodeSet& given, std::size_t most);

}  // namespace kith
