// Scotch's mapping of any traffic onto any machine, made exact.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "kith/mapper.hpp"
#include "machine/model/node_slots.hpp"
#include "mapping/budget.hpp"
#include "mapping/published/scotch/library.hpp"
#include "objective/distance.hpp"

namespace kith::scotch {

/// What the setting `strategy` takes.
inline constexpr std::string_view strategy_values =
    "usual (the best of some), bipartition, quality, speed, balance, safety or a strategy in "
    "Scotch's own words";

/// How to search.
struct Search {
  /// "bipartition" is bipartition_strategy() with a tolerance of 1%; "quality", "speed", "balance"
  /// and "safety" are Scotch's own; "usual" takes the best of bipartitions with several tolerances
  /// and, on machines that are no trees, of Scotch's own; anything else is a strategy string.
  std::string_view strategy = "usual";
  /// Up to most_ranks_of_tries: so many times with different seeds, the best is kept.
  unsigned tries = 1;
};
inline constexpr unsigned max_tries = 1000;
inline constexpr std::uint32_t most_ranks_of_tries = 2048;

/// At most `capacity` ranks on a slot: idle vertices fill up the places, and place_surplus() puts
/// right what Scotch leaves uneven. Where there are more slots than ranks, those are tried that are
/// close to each other; where there are not more than twice as many, all of them as well. On
/// networks with several slots to a node the nodes are chosen first and then, on each, the slots.
/// Scotch runs in a child process: when the time of the budget is up, the best mapping so far is
/// returned, before the first one the identity. Throws Error: (input) for a strategy that Scotch
/// does not understand, (environment) when Scotch crashes or fails.
Mapping map_with_scotch(const MapTask& problem, const Search& search);

}  // namespace kith::scotch

// The machine in Scotch's terms: any machine, and trees by a shorter way.

namespace kith::scotch {

/// An architecture with at least two terminals, numbered as map_graph() answers.
struct Target {
  std::unique_ptr<Architecture> whole;  ///< what `used` is a part of; null where it is all
  std::unique_ptr<Architecture> used;
  std::vector<Slot> slot_of;  ///< the slot at each terminal
};

/// The places of a tree that scotch_target() (below) chooses for so many ranks. Without
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
