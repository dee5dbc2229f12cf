#include "objective/bounds/grid_bounds.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "objective/wide.hpp"

namespace kith::bounds {
namespace {

// The least surface of a set of grid points by steps along axes and diagonals.

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

/// Of `points` points of an open grid of 2 or 3 dimensions (0 for others), `longer` not counted; no
/// set has less. About points^2 steps up to 2048 points, then little more.
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

// The least surface of few points on a grid, by steps along axes.

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

/// Item n: the least sum over the dimensions of weight x lines that n points of an open grid hit
/// along it; an impossible number of points costs the most that fits. Pushed down along a
/// dimension, the points become layers of which each lies within the one below, and hit no more
/// lines: the lowest layer has one point on each line, and all layers are sets of one dimension
/// less. That is exact where such sets can be chosen one within the other. O(most x lines).
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

/// The time is quadratic in it.
constexpr std::uint64_t most_layered = 4096;

using Reals = std::array<long double, most_dimensions>;

/// Sums of whole numbers are whole; the little that is taken away covers rounding.
std::uint64_t rounded_up(long double sum) {
  return static_cast<std::uint64_t>(std::ceil(std::max(0.0L, sum * (1 - 1e-9L))));
}

/// Least sum of weight[d] x lines[d] where lines[d] is at least least[d] > 0 and their product at
/// least `product`: some stay at their least, the others have equal shares of the sum.
long double least_weighted_sum(unsigned dimensions, const Reals& weight, const Reals& least,
                               long double product) {
  std::array<bool, most_dimensions> at_least{};
  while (true) {
    long double sum = 0;
    long double log_share = std::log(product);
    unsigned sharing = 0;
    bool is_free = false;  // a dimension that weighs nothing takes the whole product
    for (unsigned d = 0; d < dimensions; ++d) {
      if (weight[d] == 0) {
        is_free = true;
      } else if (at_least[d]) {
        sum += weight[d] * least[d];
        log_share -= std::log(least[d]);
      } else {
        ++sharing;
        log_share += std::log(weight[d]);
      }
    }
    if (sharing == 0) return sum;
    const long double share = is_free ? 0 : std::exp(log_share / static_cast<long double>(sharing));
    bool changed = false;
    for (unsigned d = 0; d < dimensions; ++d) {
      if (weight[d] == 0 || at_least[d] || share >= weight[d] * least[d]) continue;
      at_least[d] = true;
      changed = true;
    }
    if (!changed) return sum + static_cast<long double>(sharing) * share;
  }
}

std::array<std::uint64_t, most_dimensions> line_weights(const GridStencil& stencil) {
  auto weight = stencil.face;
  for (unsigned d = 0; d < stencil.dimensions; ++d) weight[d] += stencil.longer[d];
  return weight;
}

/// Of all pairs that a step along dimension d takes part in, at one point and one way.
std::uint64_t crossing_weight(const GridStencil& stencil, unsigned d) {
  std::uint64_t weight = stencil.face[d] + 4 * stencil.corner;
  for (unsigned normal = 0; normal < 3; ++normal) {
    if (normal != d) weight += 2 * stencil.edge[normal];
  }
  return weight;
}

}  // namespace

Isoperimetry::Isoperimetry(const GridStencil& stencil, std::uint64_t most_points)
    : stencil_(stencil),
      has_diagonals_(std::ranges::any_of(stencil.edge, [](std::uint64_t w) { return w > 0; })),
      layered_(layered_surfaces(stencil.dimensions, stencil.extents, line_weights(stencil),
                                std::min(most_points, most_layered))) {}

std::uint64_t Isoperimetry::open_by_axes(std::uint64_t points) const {
  return points < layered_.size() ? layered_[points] : by_lines(0, points, points);
}

std::uint64_t Isoperimetry::open(std::uint64_t points) const {
  const std::uint64_t by_axes = open_by_axes(points);
  return has_diagonals_ ? std::max(by_axes, diagonal_surface(stencil_, points)) : by_axes;
}

std::uint64_t Isoperimetry::by_lines(unsigned covered, std::uint64_t fewest,
                                     std::uint64_t most) const {
  const unsigned dimensions = stencil_.dimensions;
  const auto whole_weight = line_weights(stencil_);
  Reals weight{};
  Reals least{};
  long double closed = 0;
  for (unsigned d = 0; d < dimensions; ++d) {
    const std::uint64_t extent = stencil_.extents[d];
    std::uint64_t lines = (fewest + extent - 1) / extent;
    for (unsigned other = 0; other < dimensions; ++other) {
      if (other != d && (covered >> other & 1U) != 0U) {
        lines = std::max<std::uint64_t>(lines, stencil_.extents[other]);
      }
    }
    weight[d] = static_cast<long double>(whole_weight[d]);
    least[d] = static_cast<long double>(lines);
    if ((covered >> d & 1U) != 0U) {
      closed += weight[d] * static_cast<long double>(most / extent);
    }
  }
  const long double product =
      std::pow(static_cast<long double>(fewest), static_cast<long double>(dimensions - 1));
  const long double sum = least_weighted_sum(dimensions, weight, least, product);
  // Each alone may be rounded: what is taken away is whole.
  return rounded_up(std::max(0.0L, sum * (1 - 1e-9L) - closed));
}

std::uint64_t Isoperimetry::covering(unsigned covered, std::uint64_t fewest,
                                     std::uint64_t most) const {
  // Opened at the layer where that costs least, the mean at most, the set is one of an open grid.
  long double opened = 0;
  for (unsigned d = 0; d < stencil_.dimensions; ++d) {
    if ((covered >> d & 1U) == 0U) continue;
    opened += static_cast<long double>(crossing_weight(stencil_, d)) *
              static_cast<long double>(most) / stencil_.extents[d];
  }
  const auto kept = rounded_up(static_cast<long double>(open(fewest)) - opened);
  return std::max(kept, by_lines(covered, fewest, most));
}

std::uint64_t Isoperimetry::least_surface(std::uint64_t fewest, std::uint64_t most) const {
  std::uint64_t least = open(fewest);
  for (unsigned covered = 1; covered < 1U << stencil_.dimensions; ++covered) {
    bool possible = true;
    for (unsigned d = 0; d < stencil_.dimensions; ++d) {
      if ((covered >> d & 1U) == 0U) continue;
      possible = possible && stencil_.periodic[d] && most >= stencil_.extents[d];
    }
    if (possible) least = std::min(least, covering(covered, fewest, most));
  }
  return least;
}

Isoperimetry::PerPoint Isoperimetry::least_per_point(std::uint64_t most) const {
  PerPoint least{least_surface(1), 1};
  for (std::uint64_t low = 2; low <= most;) {
    const std::uint64_t high = std::min(most, low + low / 64);
    const std::uint64_t surface = least_surface(low, high);
    if (Wide{surface} * least.denominator < Wide{least.numerator} * high) least = {surface, high};
    low = high + 1;
  }
  return least;
}

}  // namespace kith::bounds
