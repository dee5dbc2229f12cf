// How few pairs of neighbours a set of grid points can cut.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace kith::bounds {

inline constexpr unsigned most_dimensions = 4;

/// A grid and what pairs of its points weigh, by the steps between them. Plain data; weights times
/// points must stay below 2^60.
struct GridStencil {
  unsigned dimensions = 0;  ///< 1 to 4
  std::array<std::uint32_t, most_dimensions> extents{1, 1, 1, 1};
  std::array<bool, most_dimensions> periodic{};
  std::array<std::uint64_t, most_dimensions> face{};  ///< one step along a dimension
  /// Several steps along a dimension, all lengths together; none along periodic ones.
  std::array<std::uint64_t, most_dimensions> longer{};
  /// One step along each of two dimensions, either diagonal of the plane that stands on this one;
  /// of 2D grids edge[2]. Only of 2 and 3 dimensions, as is `corner`.
  std::array<std::uint64_t, 3> edge{};
  std::uint64_t corner = 0;  ///< one step along each of three, any of the four diagonals
};

/// The surface of a set of points: along each direction that the stencil has, weight x (points -
/// pairs of the set that are such a step apart). So what stays inside a set is the weight of all
/// directions x points - surface.
///
/// - Along axes: the pairs along a direction are at most points - lines hit. Lines hit are bounded
///   by Loomis and Whitney's inequality (1949): their product over the dimensions is at least
///   points^(dimensions - 1); for few points exactly: layer upon layer, each within the first.
/// - With diagonals (9, 19, 27 points): each line along one dimension becomes a centred interval,
///   which loses no pairs (Riesz' rearrangement); what is left is a problem of one dimension less
///   for each layer, and of the differences between lines. In 2D the bound is what an octagon has.
/// - A periodic dimension: either the set leaves a layer out, and is one of an open grid; or it has
///   points in each, so that each line across is hit, and closed lines keep all their pairs.
class Isoperimetry {
 public:
  /// For sets of up to `most_points` points.
  Isoperimetry(const GridStencil& stencil, std::uint64_t most_points);

  /// No set of `fewest` to `most` points has a smaller surface.
  std::uint64_t least_surface(std::uint64_t fewest, std::uint64_t most) const;
  std::uint64_t least_surface(std::uint64_t points) const { return least_surface(points, points); }

  /// A fraction.
  struct PerPoint {
    std::uint64_t numerator;
    std::uint64_t denominator;
  };
  /// No set of up to `most` points has less surface for each of them.
  PerPoint least_per_point(std::uint64_t most) const;

 private:
  /// Sets that leave a layer of each periodic dimension out, by faces and longer steps only.
  std::uint64_t open_by_axes(std::uint64_t points) const;
  /// The same with diagonals.
  std::uint64_t open(std::uint64_t points) const;
  /// Sets that have points in each layer of the dimensions in the bit set `covered`.
  std::uint64_t covering(unsigned covered, std::uint64_t fewest, std::uint64_t most) const;
  std::uint64_t by_lines(unsigned covered, std::uint64_t fewest, std::uint64_t most) const;

  GridStencil stencil_;
  bool has_diagonals_ = false;
  std::vector<std::uint64_t> layered_;  // open_by_axes() of few points
};

}  // namespace kith::bounds
