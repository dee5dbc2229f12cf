#include <algorithm>
#include <cmath>

#include "core/rng.hpp"
#include "graph/generate/check.hpp"
#include "graph/generate/point_cells.hpp"
#include "kith/detail/generate.hpp"

namespace kith {
namespace {

/// How far apart neighbours may be, if points were 1 apart: a ball of that diameter amid the points
/// has none of them inside once in a million.
constexpr double disturbance_reach = 3;

/// Whether `c` is inside the sphere that has the segment from `a` to `b` as a diameter.
bool lies_between(const Point<3>& a, const Point<3>& b, const Point<3>& c) {
  double product = 0;
  for (unsigned d = 0; d < 3; ++d) product += (a[d] - c[d]) * (b[d] - c[d]);
  return product < 0;
}

/// The graph of Gabriel, Sokal: A new statistical approach to geographic variation analysis (1969),
/// a part of the Delaunay tetrahedra's edges that needs no tetrahedra. Memory: 28 bytes per point.
class Mesh final : public Pattern {
 public:
  Mesh(std::uint32_t ranks, std::uint64_t seed)
      : rng_(seed),
        points_(random_points<3>(ranks, rng_)),
        radius_(disturbance_reach / std::cbrt(static_cast<double>(ranks))) {}

  std::uint32_t ranks() const override { return static_cast<std::uint32_t>(points_.size()); }

  void for_each_pair(const Visit& visit) const override {
    const PointCells cubes(points_, radius_);
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
  std::vector<Point<3>> points_;
  double radius_;
};

}  // namespace

std::unique_ptr<Pattern> make_mesh(std::uint32_t ranks, std::uint64_t seed) {
  check_pattern_ranks(ranks);
  return std::make_unique<Mesh>(ranks, seed);
}

}  // namespace kith
