// Orders that leave every rank at its local index: only the host changes.
#pragma once

#include <cstdint>
#include <vector>

#include "kith/mapper.hpp"
#include "mapping/budget.hpp"

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
