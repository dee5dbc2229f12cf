// Bytes on the links of a tree.
#pragma once

#include "kith/mapping.hpp"
#include "kith/traffic.hpp"
#include "kith/tree_machine.hpp"

namespace kith {

/// Bytes on the busiest directed link; links join each object, slots included, to its parent, one
/// up and one down. O(entries x depth) time, O(ranks) memory. Throws Error (input) beyond 64 bits.
std::uint64_t max_tree_link_load(const TrafficMatrix& matrix, const TreeMachine& tree,
                                 const Mapping& mapping);

}  // namespace kith
