// What the places of ranks in space are good for: every start made by formula.
#pragma once

#include <string>

#include "mapping/portfolio/incumbent.hpp"

namespace kith::tiling {

/// Offers `best` the tilings and splittings of the grid that the traffic has, if it is one, else of
/// the coordinates that the user gave, if they have at most most_dimensions. Returns what was
/// found, "3D 7-point stencil 64x64x32, non-periodic", or nothing; how each
/// was made, with the tiling's blocks, is offered with it.
std::string offer_tilings(const MapProblem& problem, Incumbent& best);

}  // namespace kith::tiling
