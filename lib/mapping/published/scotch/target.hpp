// The machine in Scotch's terms: any machine, and trees by a shorter way.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "machine/model/node_slots.hpp"
#include "mapping/published/scotch/library.hpp"
#include "objective/distance.hpp"

namespace kith::scotch {

/// An architecture with at least two terminals, numbered as map_graph() answers.
struct Target {
  std::unique_ptr<Architecture> whole;  ///< what `used` is a part of; null where it is all
  std::unique_ptr<Architecture> used;
  std::vector<Slot> slot_of;  ///< the slot at each terminal
};

/// The places of a tree that scotch_target() (tree_target.hpp) chooses for so many ranks. Without
/// an architecture where that is a single one.
Target tree_target(const TreeDistance& distance, std::uint32_t ranks);

/// Tables of more terminals fill the memory: Scotch keeps the distances of all their sets, some
/// 16 bytes x terminals squared.
inline constexpr std::size_t max_table_terminals = 4096;

/// True for tori of up to five dimensions, meshes of up to three and hypercubes whose hops are
/// charged.
bool is_grid_of_scotch(const Machine& machine, Objective objective);

/// Some nodes of a machine that is no tree, ascending, each one terminal at its first slot. Those
/// of is_grid_of_scotch() are Scotch's own architectures, of any size, and so are boxes in them;
/// small other parts of them and all other machines are tables of what the objective charges.
/// Throws Error (input) for more than max_table_terminals nodes of these.
Target network_target(const Machine& machine, Objective objective,
                      const std::vector<FreeNode>& nodes);

}  // namespace kith::scotch

namespace kith {

// The machine as Scotch sees it.

/// A symmetric tree and which of its leaves are there.
struct ScotchTarget {
  std::vector<std::int64_t> arities;  ///< top down, none of them 1; empty: a single place
  std::vector<std::int64_t> links;    ///< what each level adds to the distance
  std::vector<std::int64_t> leaves;   ///< of the symmetric tree, ascending; empty: all
  std::vector<Slot> slot_of;          ///< the slot at each place, as many as there are places
};

/// The places that `ranks` ranks may take: all allowed slots, or, where there are more than twice
/// as many, the first of them from the left, rounded up to a whole object of the lowest level if
/// that is not too large. `ranks` is at least 1.
ScotchTarget scotch_target(const TreeDistance& distance, std::uint32_t ranks);

}  // namespace kith
