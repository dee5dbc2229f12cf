// Kith's own trajectory on machines that are no trees.
#pragma once

#include "mapping/portfolio/own_steps.hpp"

namespace kith {

/// Starts in the order of their cost; the best of them is annealed, each time for twice as long as
/// the time before; later other divisions are annealed beside it. A start that costs much, also
/// against all before it, comes later.
OwnSteps network_steps(const MapProblem& problem);

}  // namespace kith
