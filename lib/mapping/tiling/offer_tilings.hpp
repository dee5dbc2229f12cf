// What the places of ranks in space are good for: every start made by formula.
#pragma once

#include <optional>
#include <string>

#include "kith/detail/structure.hpp"
#include "mapping/budget.hpp"
#include "mapping/search/search.hpp"

namespace kith::tiling {

/// What the ranks' places were taken from.
struct Pattern {
  std::optional<GridStructure> grid;  ///< what find_grid_structure() says of the traffic
  std::string text;  ///< "3D 7-point stencil 64x64x32, non-periodic"; empty: no places are known
};

/// Offers `best` the tilings and splittings of the grid that the traffic has, if it is one, else of
/// the coordinates that the user gave, if they have at most most_dimensions. How each
/// was made, with the tiling's blocks, is offered with it.
Pattern offer_tilings(const MapTask& problem, Incumbent& best);

}  // namespace kith::tiling
