#include "graph/grid_detection/stencils.hpp"

#include <algorithm>
#include <cstdlib>

namespace kith {
namespace {

std::size_t points(Stencil stencil, std::size_t dimensions) {
  const std::size_t faces = 2 * dimensions;
  switch (stencil) {
    case Stencil::faces:
      break;
    case Stencil::faces_and_edges:
      return 1 + faces + 2 * dimensions * (dimensions - 1);
    case Stencil::corners: {
      std::size_t box = 1;
      for (std::size_t d = 0; d < dimensions; ++d) box *= 3;
      return box;
    }
    case Stencil::star:
      return 1 + 2 * faces;
  }
  return 1 + faces;
}

}  // namespace

bool belongs(Stencil stencil, const Offset& steps) {
  const auto axes = std::ranges::count_if(steps, [](int step) { return step != 0; });
  const bool near = std::ranges::all_of(steps, [](int step) { return std::abs(step) <= 1; });
  switch (stencil) {
    case Stencil::faces:
      return axes == 1 && near;
    case Stencil::faces_and_edges:
      return (axes == 1 || axes == 2) && near;
    case Stencil::corners:
      return axes > 0 && near;
    case Stencil::star:
      return axes == 1;
  }
  return false;
}

std::string stencil_name(Stencil stencil, std::size_t dimensions) {
  const bool ambiguous = stencil == Stencil::star && dimensions == 2;
  return std::to_string(points(stencil, dimensions)) + (ambiguous ? "-point star" : "-point");
}

}  // namespace kith
