// The traffic of a grid that a program declares to MPI.
#pragma once

#include "kith/traffic.hpp"
#include "protocol/exchange.hpp"

namespace kith::tools {

/// Each pair of neighbours once both ways, of the grid with the extents in the item "dims", slowest
/// dimension first, and "periods" (0 or 1 each). Rank i of `ranks` has place i, those beyond the
/// grid have no neighbours. Throws Error (input) for a grid of more places.
TrafficMatrix grid_traffic(const Exchange& request, std::uint32_t ranks);

}  // namespace kith::tools
