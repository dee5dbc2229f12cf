#include <algorithm>
#include <array>
#include <cmath>

#include "core/rng.hpp"
#include "graph/generate/check.hpp"
#include "kith/generate.hpp"

namespace kith {
namespace {

using Point = std::array<double, 3>;

/// How far apart neighbours may be, if points were 1 apart: a ball of that diameter amid the points
/// has none of them inside once in a million.
constexpr double reach = 3;

double squared_distance(const Point& a, const Point& b) {
  double sum = 0;
  for (unsigned d = 0; d < 3; ++d) sum += (a[d] - b[d]) * (a[d] - b[d]);
  return sum;
}

/// Whether `c` is inside the sphere that has the segment from `a` to `b` as a diameter.
bool lies_between(const Point& a, const Point& b, const Point& c) {
  double product = 0;
  for (unsigned d = 0; d < 3; ++d) product += (a[d] - c[d]) * (b[d] - c[d]);
  return product < 0;
}

/// Points sorted into cubes at least `radius` wide: those within it are in the 27 cubes around.
class Cubes {
 public:
  Cubes(const std::vector<Point>& points, double radius)
      : side_(std::max<std::size_t>(1, static_cast<std::size_t>(1.0 / radius))),
        begin_(side_ * side_ * side_ + 1, 0),
        members_(points.size()) {
    for (const Point& p : points) ++begin_[cube_of(p) + 1];
    for (std::size_t c = 1; c < begin_.size(); ++c) begin_[c] += begin_[c - 1];
    std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
    for (std::uint32_t i = 0; i < points.size(); ++i) members_[next[cube_of(points[i])]++] = i;
  }

  template <class Visit>
  void for_each_near(const Point& p, Visit visit) const {
    const auto first = [&](unsigned d) { return index(p[d]) == 0 ? 0 : index(p[d]) - 1; };
    const auto last = [&](unsigned d) { return std::min(index(p[d]) + 1, side_ - 1); };
    for (std::size_t x = first(0); x <= last(0); ++x) {
      for (std::size_t y = first(1); y <= last(1); ++y) {
        const std::size_t row = (x * side_ + y) * side_;  // its cubes are consecutive
        for (std::uint32_t m = begin_[row + first(2)]; m < begin_[row + last(2) + 1]; ++m) {
          visit(members_[m]);
        }
      }
    }
  }

 private:
  std::size_t index(double x) const {
    return std::min(side_ - 1, static_cast<std::size_t>(x * static_cast<double>(side_)));
  }
  std::size_t cube_of(const Point& p) const {
    return (index(p[0]) * side_ + index(p[1])) * side_ + index(p[2]);
  }

  std::size_t side_;
  std::vector<std::uint32_t> begin_;
  std::vector<std::uint32_t> members_;
};

/// The graph of Gabriel, Sokal: A new statistical approach to geographic variation analysis (1969),
/// a part of the Delaunay tetrahedra's edges that needs no tetrahedra. Memory: 28 bytes per point.
class Mesh final : public Pattern {
 public:
  Mesh(std::uint32_t ranks, std::uint64_t seed)
      : rng_(seed), points_(ranks), radius_(reach / std::cbrt(static_cast<double>(ranks))) {
    for (Point& p : points_) {
      for (double& coordinate : p) coordinate = rng_.uniform();
    }
  }

  std::uint32_t ranks() const override { return static_cast<std::uint32_t>(points_.size()); }

  void for_each_pair(const Visit& visit) const override {
    const Cubes cubes(points_, radius_);
    Rng rng = rng_;
    std::vector<Near> near;
    for (std::uint32_t i = 0; i < ranks(); ++i) {
      near.clear();
      cubes.for_each_near(points_[i], [&](std::uint32_t j) {
        const double squared = squared_distance(points_[i], points_[j]);
        if (j != i && squared <= radius_ * radius_) near.push_back({squared, j});
      });
      for (const std::uint32_t j : neighbours(i, near)) {
        visit(Rank{i}, Rank{j}, 1 + rng.below(1000));
      }
    }
  }

 private:
  struct Near {
    double squared_distance;
    std::uint32_t point;
    bool operator<(const Near& other) const {
      return squared_distance != other.squared_distance ? squared_distance < other.squared_distance
                                                        : point < other.point;
    }
  };

  /// Those above `i`, ascending. Sorts `near`: only a nearer point can lie between two.
  std::vector<std::uint32_t> neighbours(std::uint32_t i, std::vector<Near>& near) const {
    std::sort(near.begin(), near.end());
    std::vector<std::uint32_t> found;
    for (auto j = near.begin(); j != near.end(); ++j) {
      if (j->point < i) continue;
      const bool separated = std::any_of(near.begin(), j, [&](const Near& k) {
        return lies_between(points_[i], points_[j->point], points_[k.point]);
      });
      if (!separated) found.push_back(j->point);
    }
    std::sort(found.begin(), found.end());
    return found;
  }

  Rng rng_;  // its state after the last point: the weights go on from there
  std::vector<Point> points_;
  double radius_;
};

}  // namespace

std::unique_ptr<Pattern> make_mesh(std::uint32_t ranks, std::uint64_t seed) {
  check_pattern_ranks(ranks);
  return std::make_unique<Mesh>(ranks, seed);
}

}  // namespace kith
