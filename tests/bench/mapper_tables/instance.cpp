#include "mapper_tables/instance.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/rng.hpp"

namespace kith::bench {
namespace {

class HeavyTailed final : public Pattern {
 public:
  HeavyTailed(std::unique_ptr<Pattern> inner, std::uint64_t seed)
      : inner_(std::move(inner)), seed_(seed) {}
  std::uint32_t ranks() const override { return inner_->ranks(); }
  void for_each_pair(const Visit& visit) const override {
    constexpr double exponent = 1.2;
    constexpr double most = 1e5;
    Rng rng(seed_);
    inner_->for_each_pair([&](Rank a, Rank b, Weight weight) {
      const double factor = std::min(most, std::pow(1 - rng.uniform(), -1 / exponent));
      visit(a, b, static_cast<Weight>(std::llround(static_cast<double>(weight) * factor)));
    });
  }

 private:
  std::unique_ptr<Pattern> inner_;
  std::uint64_t seed_;
};

class Teams final : public Pattern {
 public:
  Teams(std::uint32_t count, std::uint32_t size) : count_(count), size_(size) {}
  std::uint32_t ranks() const override { return count_ * size_; }
  void for_each_pair(const Visit& visit) const override {
    for (std::uint32_t team = 0; team < count_; ++team) {
      const std::uint32_t first = team * size_;
      for (std::uint32_t i = 0; i < size_; ++i) {
        for (std::uint32_t j = i + 1; j < size_; ++j) visit(Rank{first + i}, Rank{first + j}, 1);
      }
      visit(Rank{first}, Rank{(team + 1) % count_ * size_}, 10);
    }
  }

 private:
  std::uint32_t count_;
  std::uint32_t size_;
};

/// Both directions of each pair, as to_matrix() has them.
void add_pattern(TrafficMatrixBuilder& builder, const Pattern& pattern) {
  pattern.for_each_pair([&](Rank a, Rank b, Weight weight) {
    builder.add(a, b, weight);
    builder.add(b, a, weight);
  });
}

}  // namespace

PatternMaker grid(std::vector<std::uint32_t> extents, unsigned points, bool periodic,
                  std::vector<Weight> weights) {
  std::uint32_t ranks = 1;
  for (const std::uint32_t extent : extents) ranks *= extent;
  return {ranks, [=] { return make_stencil(extents, points, periodic, weights); }};
}

PatternMaker halo(std::vector<std::uint32_t> extents, bool periodic) {
  return grid(std::move(extents), 27, periodic, {100, 10, 1});
}

PatternMaker geometric(std::uint32_t ranks, std::uint64_t seed) {
  return {ranks, [=] { return make_geometric(ranks, seed); }};
}

PatternMaker mesh(std::uint32_t ranks, std::uint64_t seed) {
  return {ranks, [=] { return make_mesh(ranks, seed); }};
}

PatternMaker rmat(unsigned scale, std::uint64_t draws, std::uint64_t seed) {
  return {1U << scale, [=] { return make_rmat(scale, draws, seed); }};
}

PatternMaker dense(std::uint32_t ranks, std::uint64_t seed) {
  return {ranks, [=] { return make_dense_random(ranks, seed); }};
}

PatternMaker cg(std::uint32_t ranks, Weight weight) {
  return {ranks, [=] { return make_cg(ranks, weight); }};
}

PatternMaker lu(std::uint32_t ranks, Weight weight) {
  return {ranks, [=] { return make_lu(ranks, weight); }};
}

PatternMaker leanmd(std::array<std::uint32_t, 3> cells) {
  LeanMdParameters parameters;
  parameters.cells = cells;
  return {15 * cells[0] * cells[1] * cells[2], [=] { return make_leanmd(parameters); }};
}

PatternMaker permuted(PatternMaker inner, std::uint64_t seed) {
  return {inner.ranks, [=] { return make_permuted(inner.make(), seed); }};
}

PatternMaker heavy_tailed(PatternMaker inner, std::uint64_t seed) {
  return {inner.ranks, [=] { return std::make_unique<HeavyTailed>(inner.make(), seed); }};
}

PatternMaker teams(std::uint32_t count, std::uint32_t size) {
  return {count * size, [=] { return std::make_unique<Teams>(count, size); }};
}

Instance instance(std::string name, PatternMaker pattern, std::string machine) {
  return {std::move(name),
          pattern.ranks,
          [pattern] { return to_matrix(*pattern.make()); },
          std::move(machine),
          {}};
}

Instance mixture(std::string name, PatternMaker a, PatternMaker b, std::string machine) {
  const auto matrix = [a, b] {
    TrafficMatrixBuilder builder(a.ranks);
    add_pattern(builder, *a.make());
    add_pattern(builder, *b.make());
    return builder.build();
  };
  return {std::move(name), a.ranks, matrix, std::move(machine), {}};
}

}  // namespace kith::bench
