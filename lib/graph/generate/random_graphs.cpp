#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "core/rng.hpp"
#include "graph/generate/check.hpp"
#include "graph/generate/point_cells.hpp"
#include "kith/detail/generate.hpp"
#include "kith/error.hpp"

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

namespace {

class Sparse final : public Pattern {
 public:
  Sparse(std::unique_ptr<Pattern> inner, double factor) : inner_(std::move(inner)) {
    Weight heaviest = 0;
    inner_->for_each_pair(
        [&](Rank, Rank, Weight weight) { heaviest = std::max(heaviest, weight); });
    bound_ = static_cast<long double>(heaviest) * static_cast<long double>(factor);
  }
  std::uint32_t ranks() const override { return inner_->ranks(); }
  void for_each_pair(const Visit& visit) const override {
    inner_->for_each_pair([&](Rank a, Rank b, Weight weight) {
      if (static_cast<long double>(weight) > bound_) visit(a, b, weight);
    });
  }

 private:
  std::unique_ptr<Pattern> inner_;
  long double bound_ = 0;
};

}  // namespace

std::unique_ptr<Pattern> make_sparse(std::unique_ptr<Pattern> inner, double factor) {
  if (!(factor >= 0 && factor <= 1)) {
    throw bad_input("sparse factor", "a number from 0 to 1", std::to_string(factor));
  }
  return std::make_unique<Sparse>(std::move(inner), factor);
}

namespace {

/// Chakrabarti, Zhan, Faloutsos: R-MAT: a recursive model for graph mining (2004). Holds the merged
/// pairs: 8 bytes per draw while it is made, 16 per pair after.
class Rmat final : public Pattern {
 public:
  Rmat(unsigned scale, std::uint64_t draws, std::uint64_t seed) : ranks_(1U << scale) {
    const std::vector<std::uint32_t> label = random_permutation(ranks_, seed + 1);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> drawn;
    Rng rng(seed);
    for (std::uint64_t d = 0; d < draws; ++d) {
      const auto [row, column] = draw(scale, rng);
      if (row != column) drawn.push_back(std::minmax({label[row], label[column]}));
    }
    std::sort(drawn.begin(), drawn.end());
    for (const auto& [a, b] : drawn) {
      if (!pairs_.empty() && pairs_.back().a == Rank{a} && pairs_.back().b == Rank{b}) {
        ++pairs_.back().weight;
      } else {
        pairs_.push_back({Rank{a}, Rank{b}, 1});
      }
    }
  }

  std::uint32_t ranks() const override { return ranks_; }
  void for_each_pair(const Visit& visit) const override {
    for (const Pair& p : pairs_) visit(p.a, p.b, p.weight);
  }

 private:
  struct Pair {
    Rank a;
    Rank b;
    Weight weight;
  };

  /// One cell of the adjacency matrix, from the top bit down: quadrants with probability .57 (both
  /// bits 0), .19 (column), .19 (row), .05 (both).
  static std::pair<std::uint32_t, std::uint32_t> draw(unsigned scale, Rng& rng) {
    std::uint32_t row = 0;
    std::uint32_t column = 0;
    for (unsigned bit = 0; bit < scale; ++bit) {
      const double u = rng.uniform();
      const bool in_row = u >= 0.57 + 0.19;
      const bool in_column = (u >= 0.57 && u < 0.57 + 0.19) || u >= 0.57 + 0.19 + 0.19;
      row = 2 * row + in_row;
      column = 2 * column + in_column;
    }
    return {row, column};
  }

  std::uint32_t ranks_;
  std::vector<Pair> pairs_;
};

}  // namespace

std::unique_ptr<Pattern> make_rmat(unsigned scale, std::uint64_t draws, std::uint64_t seed) {
  if (scale > 31) {
    throw bad_input("scale of the R-MAT pattern", "0 to 31", std::to_string(scale));
  }
  return std::make_unique<Rmat>(scale, draws, seed);
}

}  // namespace kith
