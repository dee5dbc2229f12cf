// Shifts, reflections and turns of a grid of nodes.
#pragma once

#include <optional>

#include "kith/mapper.hpp"
#include "mapping/budget.hpp"

namespace kith::incremental {

/// `mapping` with its nodes shifted (tori), reflected and, among dimensions of equal extent, turned
/// so that most ranks come to the node where options.from has them; nothing where no symmetry helps
/// or is known: the machine is no grid, some slots are not allowed, or ranks are fixed.
std::optional<Mapping> turn_grid(const MapTask& problem, const Mapping& mapping);

}  // namespace kith::incremental
