// Random points in the unit square or cube, and which of them are near.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/rng.hpp"

namespace kith {

template <std::size_t D>
using Point = std::array<double, D>;

template <std::size_t D>
std::vector<Point<D>> random_points(std::uint32_t count, Rng& rng) {
  std::vector<Point<D>> points(count);
  for (Point<D>& p : points) {
    for (double& coordinate : p) coordinate = rng.uniform();
  }
  return points;
}

template <std::size_t D>
double squared_distance(const Point<D>& a, const Point<D>& b) {
  double sum = 0;
  for (std::size_t d = 0; d < D; ++d) sum += (a[d] - b[d]) * (a[d] - b[d]);
  return sum;
}

/// Points sorted into cells at least `radius` wide: those within it are in the 3^D cells around.
/// Memory: some 4 bytes per point and cell.
template <std::size_t D>
class PointCells {
 public:
  PointCells(const std::vector<Point<D>>& points, double radius)
      : side_(std::max<std::size_t>(1, static_cast<std::size_t>(1.0 / radius))),
        members_(points.size()) {
    std::size_t cells = 1;
    for (std::size_t d = 0; d < D; ++d) cells *= side_;
    begin_.assign(cells + 1, 0);
    for (const Point<D>& p : points) ++begin_[cell_of(p) + 1];
    for (std::size_t c = 1; c < begin_.size(); ++c) begin_[c] += begin_[c - 1];
    std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
    for (std::uint32_t i = 0; i < points.size(); ++i) members_[next[cell_of(points[i])]++] = i;
  }

  /// Calls visit(i) for all points in the cells around, p's own included.
  template <class Visit>
  void for_each_near(const Point<D>& p, Visit visit) const {
    visit_rows(p, 0, 0, visit);
  }

 private:
  std::size_t index(double x) const {
    return std::min(side_ - 1, static_cast<std::size_t>(x * static_cast<double>(side_)));
  }
  std::size_t first_near(double x) const { return index(x) == 0 ? 0 : index(x) - 1; }
  std::size_t last_near(double x) const { return std::min(index(x) + 1, side_ - 1); }

  std::size_t cell_of(const Point<D>& p) const {
    std::size_t cell = 0;
    for (const double x : p) cell = cell * side_ + index(x);
    return cell;
  }

  /// `before`: the number of the part of the grid that the dimensions before d have chosen.
  template <class Visit>
  void visit_rows(const Point<D>& p, std::size_t d, std::size_t before, Visit& visit) const {
    const std::size_t first = before * side_ + first_near(p[d]);
    const std::size_t last = before * side_ + last_near(p[d]);
    if (d + 1 < D) {
      for (std::size_t part = first; part <= last; ++part) visit_rows(p, d + 1, part, visit);
      return;
    }
    // The cells of a row, along the last dimension, are consecutive.
    for (std::uint32_t m = begin_[first]; m < begin_[last + 1]; ++m) visit(members_[m]);
  }

  std::size_t side_;
  std::vector<std::uint32_t> begin_;
  std::vector<std::uint32_t> members_;
};

}  // namespace kith
