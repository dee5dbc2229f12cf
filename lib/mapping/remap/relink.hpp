// Between a mapping and the present places: only those changes that are worth their moves.
#pragma once

#include "kith/mapper.hpp"
#include "mapping/budget.hpp"

namespace kith {

/// Takes back changes of `mapping` against `stay` that do not pay. Ranks that change places form
/// closed groups (cycles of slots; or of nodes, racks, ..., whose ranks move among them): each can
/// be taken back by itself, large groups first, wherever that lowers the objective with what the
/// moves cost. Never worse than `mapping`. Both of them valid answers to the problem; O(edges) for
/// each level of the machine and sweep.
Mapping relink(const MapTask& problem, const Mapping& stay, Mapping mapping);

}  // namespace kith
