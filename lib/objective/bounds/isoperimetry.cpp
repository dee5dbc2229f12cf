#include "objective/bounds/isoperimetry.hpp"

#include <algorithm>
#include <cmath>

#include "objective/bounds/diagonal_surface.hpp"
#include "objective/bounds/layered_surface.hpp"
#include "objective/wide.hpp"

namespace kith::bounds {
namespace {

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
