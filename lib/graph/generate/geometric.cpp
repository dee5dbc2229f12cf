#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/rng.hpp"
#include "graph/generate/check.hpp"
#include "graph/generate/point_cells.hpp"
#include "kith/generate.hpp"

namespace kith {
namespace {

class Geometric final : public Pattern {
 public:
  Geometric(std::uint32_t ranks, std::uint64_t seed)
      : rng_(seed),
        points_(random_points<2>(ranks, rng_)),
        radius_(std::sqrt(16.0 / (std::numbers::pi * static_cast<double>(ranks)))) {}

  std::uint32_t ranks() const override { return static_cast<std::uint32_t>(points_.size()); }

  void for_each_pair(const Visit& visit) const override {
    const PointCells cells(points_, radius_);
    Rng rng = rng_;
    std::vector<std::uint32_t> near;
    for (std::uint32_t i = 0; i < ranks(); ++i) {
      near.clear();
      cells.for_each_near(points_[i], [&](std::uint32_t j) {
        const bool is_near = squared_distance(points_[i], points_[j]) <= radius_ * radius_;
        if (j > i && is_near) near.push_back(j);
      });
      std::sort(near.begin(), near.end());
      for (const std::uint32_t j : near) visit(Rank{i}, Rank{j}, 1 + rng.below(1000));
    }
  }

 private:
  Rng rng_;  // its state after the last point: the weights go on from there
  std::vector<Point<2>> points_;
  double radius_;
};

}  // namespace

std::unique_ptr<Pattern> make_geometric(std::uint32_t ranks, std::uint64_t seed) {
  check_pattern_ranks(ranks);
  return std::make_unique<Geometric>(ranks, seed);
}

}  // namespace kith
