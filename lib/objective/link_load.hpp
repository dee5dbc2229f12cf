// Bytes on the links of a machine.
#pragma once

#include <optional>

#include "kith/machine.hpp"
#include "kith/mapping.hpp"
#include "kith/traffic.hpp"

namespace kith {

/// Bytes on the busiest directed link; nothing where the machine does not say which way messages
/// take: dragonflies, graphs, tables of distances. Throws Error (input) beyond 64 bits.
///
/// Trees: links join each object, slots included, to its parent, one up and one down. Where they
/// are several links wide (fat trees), traffic is spread evenly over them, and the share of one is
/// rounded up. O(entries x depth) time, O(ranks) memory.
///
/// Grids: a link each way between neighbours. Messages go dimension by dimension, the first of the
/// SPEC first, around a ring the shorter way, and up where both are equally long. A tree in each
/// node adds its own links and one that joins its root to the network. O(entries x (dimensions +
/// depth)) time, O(entries + ranks) memory.
std::optional<std::uint64_t> max_link_load(const TrafficMatrix& matrix, const Machine& machine,
                                           const Mapping& mapping);

}  // namespace kith
