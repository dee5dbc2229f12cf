#include "objective/bounds/layered_surface.hpp"

#include <algorithm>
#include <limits>

namespace kith::bounds {
namespace {

constexpr std::uint64_t no_layered_surface = std::numeric_limits<std::uint64_t>::max() / 4;

/// Adds a dimension: `flat` is of one less.
std::vector<std::uint64_t> stacked(const std::vector<std::uint64_t>& flat, std::uint64_t weight,
                                   std::uint64_t extent) {
  const std::size_t most = flat.size() - 1;
  // upper[n]: n points in layers of at most `size` points each.
  std::vector<std::uint64_t> upper(most + 1, no_layered_surface);
  std::vector<std::uint64_t> surface(most + 1, no_layered_surface);
  upper[0] = surface[0] = 0;
  for (std::size_t size = 1; size <= most && flat[size] < no_layered_surface; ++size) {
    const std::uint64_t lowest = size * weight + flat[size];
    if (lowest >= surface[most]) break;  // a larger lowest layer is worse for any number
    for (std::size_t n = size; n <= most; ++n) {
      upper[n] = std::min(upper[n], flat[size] + upper[n - size]);
    }
    const std::size_t tallest = extent > most / size ? most : size * extent;
    for (std::size_t n = size; n <= tallest; ++n) {
      surface[n] = std::min(surface[n], lowest + upper[n - size]);
    }
  }
  return surface;
}

}  // namespace

std::vector<std::uint64_t> layered_surfaces(
    unsigned dimensions, const std::array<std::uint32_t, most_dimensions>& extents,
    const std::array<std::uint64_t, most_dimensions>& weights, std::uint64_t most) {
  std::vector<std::uint64_t> surface(most + 1, no_layered_surface);
  surface[0] = 0;
  const std::uint64_t longest = std::min<std::uint64_t>(most, extents[0]);
  for (std::uint64_t n = 1; n <= longest; ++n) surface[n] = weights[0];
  for (unsigned d = 1; d < dimensions; ++d) surface = stacked(surface, weights[d], extents[d]);
  return surface;
}

}  // namespace kith::bounds
