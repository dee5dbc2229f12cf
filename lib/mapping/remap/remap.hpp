// Few moves: between two mappings of equal worth the one that leaves more ranks in place.
#pragma once

#include <optional>

#include "kith/mapper.hpp"
#include "mapping/budget.hpp"

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
