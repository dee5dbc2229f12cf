#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/rng.hpp"
#include "graph/generate/check.hpp"
#include "kith/generate.hpp"

namespace kith {
namespace {

struct Point {
  double x;
  double y;
};

/// Points sorted into square cells at least one radius wide: neighbours are in the 3 x 3 cells
/// around. Memory: 20 bytes per point.
class Cells {
 public:
  Cells(const std::vector<Point>& points, double radius)
      : side_(std::max<std::size_t>(1, static_cast<std::size_t>(1.0 / radius))),
        begin_(side_ * side_ + 1, 0),
        members_(points.size()) {
    for (const Point& p : points) ++begin_[cell(p) + 1];
    for (std::size_t c = 1; c < begin_.size(); ++c) begin_[c] += begin_[c - 1];
    std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
    for (std::uint32_t i = 0; i < points.size(); ++i) members_[next[cell(points[i])]++] = i;
  }

  template <class Visit>
  void for_each_near(Point p, Visit visit) const {
    const std::size_t column = index(p.x);
    const std::size_t row = index(p.y);
    for (std::size_t r = row == 0 ? 0 : row - 1; r <= std::min(row + 1, side_ - 1); ++r) {
      for (std::size_t c = column == 0 ? 0 : column - 1; c <= std::min(column + 1, side_ - 1);
           ++c) {
        const std::size_t k = r * side_ + c;
        for (std::uint32_t m = begin_[k]; m < begin_[k + 1]; ++m) visit(members_[m]);
      }
    }
  }

 private:
  std::size_t index(double x) const {
    return std::min(side_ - 1, static_cast<std::size_t>(x * static_cast<double>(side_)));
  }
  std::size_t cell(Point p) const { return index(p.y) * side_ + index(p.x); }

  std::size_t side_;
  std::vector<std::uint32_t> begin_;
  std::vector<std::uint32_t> members_;
};

class Geometric final : public Pattern {
 public:
  Geometric(std::uint32_t ranks, std::uint64_t seed)
      : rng_(seed),
        points_(ranks),
        radius_(std::sqrt(16.0 / (std::numbers::pi * static_cast<double>(ranks)))) {
    for (Point& p : points_) {
      p.x = rng_.uniform();
      p.y = rng_.uniform();
    }
  }

  std::uint32_t ranks() const override { return static_cast<std::uint32_t>(points_.size()); }

  void for_each_pair(const Visit& visit) const override {
    const Cells cells(points_, radius_);
    Rng rng = rng_;
    std::vector<std::uint32_t> near;
    for (std::uint32_t i = 0; i < ranks(); ++i) {
      near.clear();
      cells.for_each_near(points_[i], [&](std::uint32_t j) {
        if (j > i && within_radius(points_[i], points_[j])) near.push_back(j);
      });
      std::sort(near.begin(), near.end());
      for (const std::uint32_t j : near) visit(Rank{i}, Rank{j}, 1 + rng.below(1000));
    }
  }

 private:
  bool within_radius(Point a, Point b) const {
    const double dx = a.x - b.x;
    const double dy = a.y - b.y;
    return dx * dx + dy * dy <= radius_ * radius_;
  }

  Rng rng_;  // its state after the last point: the weights go on from there
  std::vector<Point> points_;
  double radius_;
};

}  // namespace

std::unique_ptr<Pattern> make_geometric(std::uint32_t ranks, std::uint64_t seed) {
  check_pattern_ranks(ranks);
  return std::make_unique<Geometric>(ranks, seed);
}

}  // namespace kith
