#include "objective/bounds/grid_bounds.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>
#include <numeric>

namespace kith::bounds {
namespace {

using Steps = std::array<int, most_dimensions>;
constexpr unsigned longer_kind = 1U << most_dimensions;
constexpr int longest_step = 4;  // steps along an axis that count as the stencil's

/// Directions of one kind weigh the same in the bound: a bit for each dimension with a step, and
/// longer_kind times the steps where they are several along an axis. 0: does not count.
unsigned kind_of(const Steps& steps, const GridStencil& grid) {
  unsigned kind = 0;
  int most = 0;
  for (unsigned d = 0; d < grid.dimensions; ++d) {
    if (steps[d] != 0) kind |= 1U << d;
    most = std::max(most, std::abs(steps[d]));
  }
  if (most <= 1) return std::popcount(kind) == 1 || grid.dimensions <= 3 ? kind : 0;
  const bool is_axis = std::has_single_bit(kind);
  if (!is_axis || most > longest_step) return 0;
  // The remainder changes nothing: GCC 14 does not see that a bit is set.
  const unsigned axis = static_cast<unsigned>(std::countr_zero(kind)) % most_dimensions;
  return grid.periodic[axis] ? 0 : kind + longer_kind * static_cast<unsigned>(most);
}

/// Of the two ways to look at a pair the one whose first step is positive.
Steps one_way(Steps steps) {
  if (steps < Steps{}) {
    for (int& step : steps) step = -step;
  }
  return steps;
}

/// The grid point of each rank as one number; nothing where two ranks share one.
std::optional<std::vector<std::uint32_t>> points_of(const GridStructure& structure,
                                                    std::uint32_t ranks) {
  std::vector<std::uint32_t> points(ranks);
  std::vector<bool> taken(ranks);
  for (std::uint32_t r = 0; r < ranks; ++r) {
    std::uint64_t point = 0;
    const auto coordinates = structure.coordinates.of(r);
    for (std::size_t d = 0; d < structure.extents.size(); ++d) {
      if (!(coordinates[d] >= 0 && coordinates[d] < structure.extents[d])) return std::nullopt;
      point = point * structure.extents[d] + static_cast<std::uint64_t>(coordinates[d]);
    }
    if (point >= ranks || taken[point]) return std::nullopt;
    taken[point] = true;
    points[r] = static_cast<std::uint32_t>(point);
  }
  return points;
}

Steps steps_between(std::uint32_t a, std::uint32_t b, const GridStencil& grid) {
  Steps steps{};
  for (unsigned d = grid.dimensions; d-- > 0;) {
    const int extent = static_cast<int>(grid.extents[d]);
    int step = static_cast<int>(b % grid.extents[d]) - static_cast<int>(a % grid.extents[d]);
    if (grid.periodic[d] && 2 * std::abs(step) > extent) step -= step > 0 ? extent : -extent;
    steps[d] = step;
    a /= grid.extents[d];
    b /= grid.extents[d];
  }
  return steps;
}

}  // namespace

std::optional<GridPattern> GridPattern::from(const TrafficGraph& graph,
                                             const GridStructure& structure) {
  if (structure.extents.empty() || structure.extents.size() > most_dimensions ||
      structure.coordinates.ranks() != graph.ranks()) {
    return std::nullopt;
  }
  GridPattern pattern;
  pattern.ranks_ = graph.ranks();
  pattern.grid_.dimensions = static_cast<unsigned>(structure.extents.size());
  std::ranges::copy(structure.extents, pattern.grid_.extents.begin());
  std::ranges::copy(structure.periodic, pattern.grid_.periodic.begin());
  const auto points = points_of(structure, graph.ranks());
  if (!points) return std::nullopt;
  std::map<Steps, Direction> directions;
  for (Rank a(0); a.value < graph.ranks(); ++a) {
    for (std::size_t i = 0; i < graph.degree(a); ++i) {
      const Rank b = graph.neighbours(a)[i];
      if (b < a) continue;
      const Steps steps =
          one_way(steps_between((*points)[a.value], (*points)[b.value], pattern.grid_));
      const unsigned kind = kind_of(steps, pattern.grid_);
      if (kind == 0) continue;
      Direction& direction = directions[steps];
      direction.kind = kind;
      direction.heaviest_first.push_back(graph.weights(a)[i]);
    }
  }
  for (auto& [steps, direction] : directions) {
    auto& weights = direction.heaviest_first;
    if (!std::ranges::is_sorted(weights, std::greater{}))
      std::ranges::sort(weights, std::greater{});
    if (weights.front() != weights.back()) pattern.all_alike_ = false;
    pattern.directions_.push_back(std::move(direction));
  }
  return pattern;
}

/// The share of the pairs that a box of the middle object's size keeps along a dimension.
double GridPattern::guess_kept(const Shell& shell) const {
  const double points =
      std::min(static_cast<double>(shell.groups.front().places), static_cast<double>(ranks_));
  return 1 - std::pow(points, -1.0 / grid_.dimensions);
}

/// A direction counts with the lightest weight that a good mapping keeps inside: that is best, any
/// is right. All diagonals of a plane or a box count the same, so all must be there.
GridPattern::Units GridPattern::units(double share_kept) const {
  Units units;
  std::map<unsigned, unsigned> found;
  for (const Direction& direction : directions_) {
    const auto& weights = direction.heaviest_first;
    const auto index = static_cast<std::size_t>(share_kept * ranks_);
    // Few pairs of a direction that the grid has many of say nothing about surfaces.
    const bool is_rare = 2 * weights.size() < ranks_;
    const Weight weight = is_rare ? 0 : weights[std::min(index, weights.size() - 1)];
    const auto [at, is_first] = units.emplace(direction.kind, weight);
    if (!is_first) at->second = std::min(at->second, weight);
    ++found[direction.kind];
  }
  for (auto& [kind, unit] : units) {
    const auto diagonals = 1U << static_cast<unsigned>(std::popcount(kind) - 1);
    if (kind < longer_kind && found[kind] != diagonals) unit = 0;
  }
  return units;
}

GridStencil GridPattern::stencil(const Units& units, Weight divisor) const {
  GridStencil stencil = grid_;
  const auto unit = [&](unsigned kind) {
    const auto at = units.find(kind);
    return at == units.end() ? 0 : at->second / divisor;
  };
  for (unsigned d = 0; d < grid_.dimensions; ++d) {
    const unsigned axis = 1U << d;
    stencil.face[d] = unit(axis);
    for (unsigned steps = 2; steps <= longest_step; ++steps) {
      stencil.longer[d] += unit(axis + longer_kind * steps);
    }
  }
  if (grid_.dimensions == 2) stencil.edge[2] = unit(3);
  if (grid_.dimensions == 3) {
    stencil.edge = {unit(6), unit(5), unit(3)};
    stencil.corner = unit(7);
  }
  return stencil;
}

/// Of all objects together. Where not all places are taken, an object may have any number of ranks:
/// each costs at least what it costs in the best number.
Wide GridPattern::least_surface(const GridStencil& stencil, const Shell& shell) const {
  const Isoperimetry isoperimetry(stencil, shell.groups.front().places);
  Wide places = 0;
  for (const Groups& group : shell.groups) places += Wide{group.places} * group.objects;
  Wide surface = 0;
  if (places == ranks_) {
    for (const Groups& group : shell.groups) {
      surface += Wide{group.objects} * isoperimetry.least_surface(group.places);
    }
    return surface;
  }
  // A rank on a larger object may cost less, so the largest are taken first.
  std::uint64_t left = ranks_;
  for (const Groups& group : shell.groups) {
    const auto [numerator, denominator] = isoperimetry.least_per_point(group.places);
    const auto here =
        static_cast<std::uint64_t>(std::min<Wide>(left, Wide{group.places} * group.objects));
    surface += Wide{here} * numerator / denominator;
    left -= here;
  }
  return surface;
}

Wide GridPattern::cut_with(const Shell& shell, double share_kept) const {
  const Units unit_of = units(share_kept);
  Wide each = 0;  // all directions at a point
  Weight divisor = 0;
  for (const Direction& direction : directions_) {
    each += unit_of.at(direction.kind);
    divisor = std::gcd(divisor, unit_of.at(direction.kind));
  }
  if (divisor == 0) return 0;
  // Small numbers, so that sums fit; what a larger divisor leaves out is not counted.
  while (each / divisor * ranks_ >= Wide{1} << 60U) divisor *= 2;
  each = 0;
  Wide counted = 0;  // of all pairs
  for (const Direction& direction : directions_) {
    const Weight unit = unit_of.at(direction.kind) / divisor * divisor;
    each += unit;
    for (const Weight weight : direction.heaviest_first) counted += std::min(weight, unit);
  }
  const Wide surface = least_surface(stencil(unit_of, divisor), shell) * divisor;
  const Wide kept = each * ranks_ - std::min(surface, each * ranks_);
  return counted > kept ? counted - kept : 0;
}

Wide GridPattern::cut(const Shell& shell) const {
  if (shell.groups.front().places >= ranks_) return 0;
  const Wide cut = cut_with(shell, guess_kept(shell));
  return all_alike_ ? cut : std::max(cut, cut_with(shell, 0.5));
}

}  // namespace kith::bounds
