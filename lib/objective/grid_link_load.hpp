// Bytes on the links between the nodes of a grid.
#pragma once

#include <vector>

#include "kith/network_machine.hpp"
#include "kith/traffic.hpp"

namespace kith {

/// Bytes on the busiest directed link, routed as max_link_load() says. The bytes of all messages
/// together must fit 64 bits. O(entries x dimensions) time, O(entries) memory and at most 16 bytes
/// a node.
std::uint64_t max_grid_link_load(const TrafficMatrix& matrix, const GridNetwork& grid,
                                 const std::vector<std::uint32_t>& node_of_rank);

}  // namespace kith
