// The slots of nodes: the one place that knows how they lie.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "kith/error.hpp"
#include "kith/machine.hpp"

namespace kith {

/// The last slot of a stretch of consecutive ones, from `slot` on, that are all of its node: the
/// node's last one where its slots are consecutive, else `slot` itself.
Slot end_of_node(const Machine& machine, Slot slot);

/// Calls visit(node, SlotSet::Interval) for stretches of allowed slots of one node each, ascending
/// by slot. O(nodes in use) where slots of a node are consecutive, else O(slots).
template <class Visit>
void for_each_stretch(const Machine& machine, Visit&& visit) {
  for (SlotSet::Interval rest : machine.allowed().intervals()) {
    while (true) {
      const Slot end = std::min(end_of_node(machine, rest.first), rest.last);
      visit(machine.node_of(rest.first), SlotSet::Interval{rest.first, end});
      if (end == rest.last) break;
      rest.first = Slot(end.value + 1);
    }
  }
}

/// How many slots a node has, allowed or not.
std::uint64_t slots_on_node(const Machine& machine, std::uint64_t node);

/// A node that has allowed slots.
struct FreeNode {
  std::uint32_t node = 0;
  Slot first = no_slot;     ///< stands for the node in distances
  std::uint32_t slots = 0;  ///< allowed
};

/// More nodes than this are not listed: a list would fill the memory.
inline constexpr std::uint64_t most_listed_nodes = std::uint64_t{1} << 27;

/// Ascending. Throws Error (input) naming `where` (an argument, if made by bad_argument) for a
/// machine of more than most_listed_nodes.
std::vector<FreeNode> free_nodes(const Machine& machine, std::string_view where,
                                 Error (*wrong)(std::string_view, std::string_view,
                                                std::string_view) = bad_input);

/// The allowed slots of some nodes.
SlotSet slots_of_nodes(const Machine& machine, const std::vector<std::uint32_t>& nodes);

/// Hops between two different nodes, without those inside them.
std::uint64_t node_hops(const Machine& machine, Slot a, Slot b);

}  // namespace kith
