// From tasks to slots: EagerMap on any machine.
#pragma once

#include <span>

#include "kith/mapper.hpp"
#include "mapping/budget.hpp"

namespace kith {

/// The mapping of eagermap, or of eagermap-load where there are loads: one per rank, in any unit.
Mapping eager_mapping(const MapTask& problem, std::span<const std::uint64_t> loads);

}  // namespace kith
