#include "objective/bounds/diagonal_surface.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "objective/wide.hpp"

namespace kith::bounds {
namespace {

constexpr std::uint64_t no_diagonal_surface = std::numeric_limits<std::uint64_t>::max() / 4;

std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) {
  return a / b + (a % b == 0 ? 0 : 1);
}

/// A plane: what steps within a row, to the next row, and along either diagonal weigh.
struct Plane {
  std::uint64_t rows;  ///< extents
  std::uint64_t columns;
  std::uint64_t along;   ///< within a row
  std::uint64_t across;  ///< at least `diagonal`
  std::uint64_t diagonal;
};

/// How many points the longest row may exceed others by, one step each, where rows may get so much
/// shorter in all: the ends of both sides first. A row may be up to two points shorter than the
/// next one before it loses more than its length gives.
std::uint64_t steps_for(std::uint64_t spare, std::uint64_t most) {
  std::uint64_t steps = 0;
  for (std::uint64_t price = 1; steps < most; ++price) {
    const std::uint64_t affordable = std::min<std::uint64_t>(4, spare / price);
    steps += affordable;
    spare -= affordable * price;
    if (affordable < 4) break;
  }
  return std::min(steps, most);
}

/// Rows are centred intervals. Each but the longest has `across` and twice `diagonal` for each of
/// its points with the next longer one, less 2 - (by how many points it is shorter) diagonals.
std::uint64_t plane_surface(const Plane& plane, std::uint64_t points) {
  std::uint64_t least = no_diagonal_surface;
  const std::uint64_t longest = std::min(plane.columns, points);
  for (std::uint64_t rows = ceil_div(points, plane.columns);
       rows <= std::min(plane.rows, points) && rows * plane.along < least; ++rows) {
    for (std::uint64_t row = ceil_div(points, rows); row <= longest; ++row) {
      const std::uint64_t sides = rows * plane.along + row * (plane.across + 2 * plane.diagonal);
      if (sides >= least) break;
      const std::uint64_t unsloped = 2 * (rows - 1);
      const std::uint64_t steps = steps_for(rows * row - points, unsloped);
      least = std::min(least, sides + plane.diagonal * (unsloped - steps));
      if (steps == unsloped) break;
    }
  }
  return least;
}

/// Layers of a set of which each lies within the lowest, sizes in ranges: all up to 2048, then in
/// steps of 1 in 512.
struct Sizes {
  std::vector<std::uint64_t> lowest;
  std::vector<std::uint64_t> highest;
};

Sizes layer_sizes(std::uint64_t most) {
  constexpr std::uint64_t single = 2048;
  Sizes sizes;
  for (std::uint64_t low = 1; low <= most;) {
    const std::uint64_t high = std::min(most, low < single ? low : low + low / 512);
    sizes.lowest.push_back(low);
    sizes.highest.push_back(high);
    low = high + 1;
  }
  return sizes;
}

/// A set as lines along one dimension, and its layers across them.
class Stack {
 public:
  Stack(const GridStencil& stencil, unsigned axis) {
    const unsigned y = (axis + 1) % 3;
    const unsigned z = (axis + 2) % 3;
    // Diagonals weigh no more than the steps that they combine: what is above is left out.
    const auto edge = [&](unsigned normal, unsigned a, unsigned b) {
      return std::min({stencil.edge[normal], stencil.face[a], stencil.face[b]});
    };
    const std::uint64_t xy = edge(z, axis, y);
    const std::uint64_t xz = edge(y, axis, z);
    const std::uint64_t yz = edge(axis, y, z);
    const std::uint64_t xyz = std::min({stencil.corner, xy, xz, yz});
    extent_ = stencil.extents[axis];
    per_line_ = stencil.face[axis] + 2 * xy + 2 * xz + 4 * xyz;
    rebate_ = 2 * xy + 2 * xz + 4 * xyz;
    ends_ = {stencil.extents[z], stencil.extents[y], stencil.face[y], stencil.face[z], yz};
    whole_ = {stencil.extents[z], stencil.extents[y], stencil.face[y] + 2 * xy,
              stencil.face[z] + 2 * xz, yz + 2 * xyz};
  }

  /// The lowest layer costs per_line_ for each of its lines and its own surface; each other one
  /// what its surface costs with all that leaves its lines, less what lines of unequal height give
  /// back: at most that of the lowest layer's points that it lacks, and at most all.
  std::uint64_t surface(std::uint64_t points) const {
    const Sizes sizes = layer_sizes(points);
    const std::size_t ranges = sizes.lowest.size();
    std::vector<std::uint64_t> ends(ranges);
    std::vector<std::uint64_t> whole(ranges);
    std::uint64_t least = no_diagonal_surface;
    for (std::size_t lowest = 0; lowest < ranges; ++lowest) {
      ends[lowest] = plane_surface(ends_, sizes.lowest[lowest]);
      whole[lowest] = plane_surface(whole_, sizes.lowest[lowest]);
      const std::uint64_t base = sizes.lowest[lowest] * per_line_ + ends[lowest];
      if (base >= least) break;
      const std::uint64_t most = sizes.highest[lowest];
      if (most < ceil_div(points, extent_)) continue;
      std::uint64_t numerator = no_diagonal_surface;  // of the cheapest layer, per point
      std::uint64_t denominator = 1;
      for (std::size_t i = 0; i <= lowest; ++i) {
        const std::uint64_t given_back = (most - sizes.lowest[i]) * rebate_;
        const std::uint64_t cost =
            std::max(ends[i], whole[i] > given_back ? whole[i] - given_back : 0);
        if (Wide{cost} * denominator < Wide{numerator} * sizes.highest[i]) {
          numerator = cost;
          denominator = sizes.highest[i];
        }
      }
      const Wide others = (Wide{points - most} * numerator + denominator - 1) / denominator;
      least = static_cast<std::uint64_t>(std::min<Wide>(least, base + others));
    }
    return least;
  }

 private:
  std::uint64_t extent_;
  std::uint64_t per_line_;
  std::uint64_t rebate_;
  Plane ends_{};
  Plane whole_{};
};

}  // namespace

std::uint64_t diagonal_surface(const GridStencil& stencil, std::uint64_t points) {
  if (stencil.dimensions == 2) {
    const std::uint64_t diagonal = std::min({stencil.edge[2], stencil.face[0], stencil.face[1]});
    return plane_surface(
        {stencil.extents[0], stencil.extents[1], stencil.face[1], stencil.face[0], diagonal},
        points);
  }
  if (stencil.dimensions != 3) return 0;
  std::uint64_t surface = 0;
  for (unsigned axis = 0; axis < 3; ++axis) {
    surface = std::max(surface, Stack(stencil, axis).surface(points));
  }
  return surface;
}

}  // namespace kith::bounds
