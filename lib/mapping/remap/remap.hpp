// Few moves: between two mappings of equal worth the one that leaves more ranks in place.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kith/mapper.hpp"
#include "mapping/budget.hpp"
#include "objective/wide.hpp"

namespace kith {

/// `mapping` turned by symmetries of the machine, which leave every distance between ranks as it
/// is, so that many ranks come to lie where options.from has them: level by level of a tree, or of
/// the nodes of a network, contents of equally shaped objects change places (exactly the best
/// choice for objects of few children, the heaviest first for others); a torus, mesh or hypercube
/// that is used as a whole is also shifted, reflected and turned. Ranks of options.fixed must be in
/// place and stay there. Never fewer ranks stay than before. Precondition: options.from is set.
/// O(ranks log ranks) for each level, some 50 times O(ranks) on grids.
Mapping align(const MapTask& problem, Mapping mapping);

/// Takes back changes of `mapping` against `stay` that do not pay. Ranks that change places form
/// closed groups (cycles of slots; or of nodes, racks, ..., whose ranks move among them): each can
/// be taken back by itself, large groups first, wherever that lowers the objective with what the
/// moves cost. Never worse than `mapping`. Both of them valid answers to the problem; O(edges) for
/// each level of the machine and sweep.
Mapping relink(const MapTask& problem, const Mapping& stay, Mapping mapping);

/// Ranks stay where options.from has them; those of fixed ranks, of slots that are not allowed (any
/// more) or over capacity, and new ones get free slots: the one with the heaviest connections to
/// placed ranks first, on the cheapest slot found near them. Of several ranks too many on a slot
/// the highest give way. Precondition: options.from is set. O(edges log ranks) except for the
/// trials of free slots: all where they are few, else those nearest to a rank's heaviest
/// neighbours.
Mapping stay(const MapTask& problem);

}  // namespace kith

namespace kith::remap {

/// `mapping` with its nodes shifted (tori), reflected and, among dimensions of equal extent, turned
/// so that most ranks come to the node where options.from has them; nothing where no symmetry helps
/// or is known: the machine is no grid, some slots are not allowed, or ranks are fixed.
std::optional<Mapping> turn_grid(const MapTask& problem, const Mapping& mapping);

}  // namespace kith::remap

// Orders that leave every rank at its local index: only the host changes.

namespace kith {

/// By the number of a slot among the allowed ones: its number among those of its node. With a
/// process on each, in launcher order, that is the local rank by which programs pick a device, as
/// far as the machine's nodes are the hosts.
std::vector<std::uint32_t> local_indices(const Machine& machine);

/// A mapping in which each rank has a slot of the same local index as in the identity,
/// options.fixed ranks their slot of the identity; never worse than it. Needs one rank for each
/// allowed slot, and in `indices` one local index for each, by the slot's number among the allowed
/// ones. Throws Error (input) otherwise.
///
/// Each local index is an assignment problem of its own while the others stay: solved exactly where
/// all hosts are equally far from each other (Hungarian method; up to 128 hosts), one index after
/// the other until none gains, then exchanges of two ranks of one index; from the identity, from
/// greedy orders in which each index is assigned to those before it, and from random ones, as the
/// effort allows. Deterministic.
MapResult map_keeping_local_indices(const MapTask& problem,
                                    const std::vector<std::uint32_t>& indices);

}  // namespace kith

// Which contents go where so that most stays.

namespace kith::remap {

/// What row `a` brings in column `b`.
struct Entry {
  std::uint32_t a;
  std::uint32_t b;
  std::uint32_t weight;  ///< more than 0
};

/// Entries of which no two share a row or a column, with a large sum of weights: the largest where
/// rows x rows x columns is at most `effort`, else the heaviest first. Ties: the lowest row, then
/// the lowest column, with `effort` used up; deterministic in any case. Each (a, b) at most once.
std::vector<Entry> assign(std::span<const Entry> entries, std::uint64_t effort);

}  // namespace kith::remap

namespace kith {

/// cost is n x n, row-major. The column of each row so that the sum of costs is least; O(n^3), the
/// Hungarian method with potentials (Kuhn 1955, Jonker and Volgenant 1987). Deterministic.
std::vector<std::uint32_t> least_assignment(const std::vector<SignedWide>& cost, std::uint32_t n);

}  // namespace kith
