// Sets of nodes that are near to each other.
#pragma once

#include <cstdint>
#include <vector>

#include "kith/objective.hpp"
#include "machine/model/node_slots.hpp"

namespace kith {

/// Indices into a list of free nodes, ascending.
using NodeSet = std::vector<std::uint32_t>;

/// Up to `most` different sets that together have at least `slots` slots and contain `given`; each
/// has as few nodes as that takes. Those come first whose nodes are nearest to each other by what
/// the objective charges. On grids the box with the least surface is one of them, where there is a
/// free one. Precondition: all of `free` has enough slots. At most some 10^8 distances.
std::vector<NodeSet> close_node_sets(const Machine& machine, Objective objective,
                                     const std::vector<FreeNode>& free, std::uint64_t slots,
                                     const NodeSet& given, std::size_t most);

}  // namespace kith
