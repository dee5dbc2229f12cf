// Lower bounds for grids: how few neighbours a set of points can cut, on grids and on trees of
// shells.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "kith/detail/structure.hpp"
#include "kith/machine.hpp"
#include "kith/objective.hpp"
#include "kith/traffic.hpp"
#include "objective/wide.hpp"

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

// A machine as the groups of places that are near to each other.

/// So many objects with so many places for ranks each.
struct Groups {
  std::uint64_t places = 0;
  std::uint64_t objects = 0;
};

/// Two ranks pay at least `distance` per unit of weight, unless they are together.
struct Shell {
  std::uint64_t distance = 0;
  std::uint64_t partners = 0;  ///< that a rank can be together with, at most
  /// Where "together" means on the same object: the objects, largest first, no size twice. Empty:
  /// together are ranks that are nearer than `distance`.
  std::vector<Groups> groups;
};

/// For a tree: one shell per level. For a network: the levels inside a node, the node, and then the
/// nodes within 1, 2, ... hops (grids of any size; any network of up to 512 allowed slots; else
/// only the nearest two nodes). Slots that may not be used are taken as usable where that is
/// simpler: then there is room for more partners. `ranks`: no shell that holds so many is needed.
std::vector<Shell> shells_of(const Machine& machine, Objective objective, std::uint32_t capacity,
                             std::uint32_t ranks);

/// A graph as steps between grid points. What the structure does not explain may be anything: all
/// bounds hold for the graph as it is.
class GridPattern {
 public:
  /// Nothing where coordinates are not those of a grid with one rank on each point. O(edges log
  /// edges).
  static std::optional<GridPattern> from(const TrafficGraph& graph, const GridStructure& structure);

  /// At least this weight is between ranks on different objects; a shell with groups.
  Wide cut(const Shell& shell) const;

 private:
  /// Pairs that are the same steps apart.
  struct Direction {
    unsigned kind = 0;  ///< see kind_of()
    std::vector<Weight> heaviest_first;
  };
  /// What a direction of a kind counts at least for; above it is left out.
  using Units = std::map<unsigned, std::uint64_t>;

  Units units(double share_kept) const;
  GridStencil stencil(const Units& units, Weight divisor) const;
  Wide least_surface(const GridStencil& stencil, const Shell& shell) const;
  Wide cut_with(const Shell& shell, double share_kept) const;
  double guess_kept(const Shell& shell) const;

  GridStencil grid_;  ///< without weights
  std::uint32_t ranks_ = 0;
  std::vector<Direction> directions_;
  bool all_alike_ = true;  ///< the weights of each direction
};

}  // namespace kith::bounds
