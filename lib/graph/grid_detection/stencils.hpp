// The stencils that a grid may have.
#pragma once

#include <array>
#include <string>

#include "graph/grid_detection/offsets.hpp"

namespace kith {

/// Which offsets belong, the smallest stencil first.
enum class Stencil {
  faces,            ///< 2D 5-point, 3D 7-point
  faces_and_edges,  ///< 3D 19-point
  corners,          ///< with corners: 2D 9-point, 3D 27-point
  star,             ///< faces, and two steps along an axis: 3D 13-point
};
inline constexpr std::array stencils{Stencil::faces, Stencil::faces_and_edges, Stencil::corners,
                                     Stencil::star};

bool belongs(Stencil stencil, const Offset& steps);
std::string stencil_name(Stencil stencil, std::size_t dimensions);

}  // namespace kith
