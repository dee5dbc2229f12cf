#include "kith/generate.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "core/rng.hpp"
#include "kith/error.hpp"

namespace kith {
namespace {

using Pairs = std::map<std::pair<std::uint32_t, std::uint32_t>, Weight>;

/// All pairs, lower rank first; a pair that comes twice or a loop fails the test.
Pairs collect(const Pattern& pattern) {
  Pairs pairs;
  pattern.for_each_pair([&](Rank a, Rank b, Weight w) {
    EXPECT_NE(a, b);
    EXPECT_LT(std::max(a, b).value, pattern.ranks());
    EXPECT_GT(w, 0U);
    const auto key = std::minmax({a.value, b.value});
    EXPECT_TRUE(pairs.emplace(key, w).second) << key.first << ' ' << key.second;
  });
  return pairs;
}

/// Sum over pairs of weight x 10^level of the lowest common ancestor, identity order; arities
/// bottom up. The top level has no upper bound.
std::uint64_t identity_cost(const Pattern& pattern, const std::vector<std::uint32_t>& arities) {
  std::uint64_t sum = 0;
  pattern.for_each_pair([&](Rank a, Rank b, Weight w) {
    std::uint32_t x = a.value / arities[0];
    std::uint32_t y = b.value / arities[0];
    std::uint64_t cost = 1;
    for (std::size_t level = 1; x != y; ++level) {
      cost *= 10;
      x /= arities[level];
      y /= arities[level];
    }
    sum += w * cost;
  });
  return sum;
}

// The identity column of the table of reference instances.
TEST(Generate, ReferenceInstancesCostWhatTheTableSays) {
  EXPECT_EQ(identity_cost(*make_stencil({32, 32}, 5, false, {1}), {8, 2, 64}), 103936U);
  EXPECT_EQ(identity_cost(*make_stencil({128, 128}, 5, false, {1}), {16, 4, 16, 16}), 3389440U);
  EXPECT_EQ(identity_cost(*make_stencil({256, 512}, 5, false, {1}), {32, 4, 32, 32}), 27575296U);
  EXPECT_EQ(identity_cost(*make_stencil({16, 16, 16}, 7, false, {1}), {16, 4, 64}), 495360U);
  EXPECT_EQ(identity_cost(*make_stencil({16, 16, 16}, 27, false, {100, 10, 1}), {16, 4, 64}),
            67302000U);
  EXPECT_EQ(identity_cost(*make_stencil({32, 32, 32}, 27, false, {100, 10, 1}), {16, 4, 32, 16}),
            2629352800U);
  EXPECT_EQ(identity_cost(*make_stencil({64, 64, 32}, 7, false, {1}), {32, 4, 32, 32}), 74223616U);
}

TEST(Generate, PermutedReferenceInstancesCostWhatTheTableSays) {
  EXPECT_EQ(
      identity_cost(*make_permuted(make_stencil({16, 16, 16}, 7, false, {1}), 1), {16, 4, 64}),
      1133712U);
  EXPECT_EQ(
      identity_cost(*make_permuted(make_stencil({32, 32, 32}, 7, false, {1}), 1), {16, 4, 32, 16}),
      89979555U);
}

TEST(Generate, RmatReferenceInstanceCostsWhatTheTableSays) {
  EXPECT_EQ(identity_cost(*make_rmat(14, 131072, 3), {16, 4, 16, 16}), 123568886U);
}

/// Pairs of a grid by brute force over all pairs of vertices.
Pairs grid_by_definition(const std::vector<std::uint32_t>& extents, bool all, bool periodic,
                         const std::vector<Weight>& weights) {
  std::uint32_t n = 1;
  for (const auto e : extents) n *= e;
  Pairs pairs;
  for (std::uint32_t a = 0; a < n; ++a) {
    for (std::uint32_t b = a + 1; b < n; ++b) {
      std::uint32_t x = a;
      std::uint32_t y = b;
      std::size_t axes = 0;
      bool near = true;
      for (std::size_t d = extents.size(); d-- > 0;) {
        const std::uint32_t e = extents[d];
        const std::uint32_t gap = std::max(x % e, y % e) - std::min(x % e, y % e);
        near = near && (gap <= 1 || (periodic && gap == e - 1));
        axes += gap != 0;
        x /= e;
        y /= e;
      }
      if (near && (all || axes == 1)) pairs[{a, b}] = weights[axes - 1];
    }
  }
  return pairs;
}

TEST(Generate, StencilsMatchTheirDefinition) {
  const std::vector<Weight> weights{100, 10, 1};
  for (const bool periodic : {false, true}) {
    for (const auto& extents : std::vector<std::vector<std::uint32_t>>{
             {4, 5}, {1, 6}, {6, 1}, {2, 3}, {2, 2}, {1, 1}, {1, 2}, {3, 3}, {7, 2}}) {
      EXPECT_EQ(collect(*make_stencil(extents, 5, periodic, {7})),
                grid_by_definition(extents, false, periodic, {7}));
      EXPECT_EQ(collect(*make_stencil(extents, 9, periodic, {100, 10})),
                grid_by_definition(extents, true, periodic, weights));
    }
    for (const auto& extents : std::vector<std::vector<std::uint32_t>>{
             {3, 4, 5}, {2, 2, 2}, {1, 4, 3}, {2, 1, 3}, {3, 2, 3}, {4, 2, 2}, {1, 1, 1}}) {
      EXPECT_EQ(collect(*make_stencil(extents, 7, periodic, {100})),
                grid_by_definition(extents, false, periodic, weights));
      EXPECT_EQ(collect(*make_stencil(extents, 27, periodic, weights)),
                grid_by_definition(extents, true, periodic, weights));
    }
  }
}

TEST(Generate, StencilWeightsMayStandForAllOrBeZero) {
  EXPECT_EQ(collect(*make_stencil({3, 3, 3}, 27, false, {5})),
            grid_by_definition({3, 3, 3}, true, false, {5, 5, 5}));
  EXPECT_EQ(collect(*make_stencil({3, 3}, 9, false, {4, 0})),
            grid_by_definition({3, 3}, false, false, {4}));
}

TEST(Generate, GeometricMatchesItsDefinition) {
  for (const std::uint32_t n : {1U, 3U, 40U, 500U}) {
    Rng rng(9);
    std::vector<double> x(n);
    std::vector<double> y(n);
    for (std::uint32_t i = 0; i < n; ++i) {
      x[i] = rng.uniform();
      y[i] = rng.uniform();
    }
    const double radius = std::sqrt(16.0 / (std::numbers::pi * n));
    Pairs truth;
    for (std::uint32_t i = 0; i < n; ++i) {
      for (std::uint32_t j = i + 1; j < n; ++j) {
        if (std::hypot(x[i] - x[j], y[i] - y[j]) <= radius) truth[{i, j}] = 1 + rng.below(1000);
      }
    }
    const auto pattern = make_geometric(n, 9);
    EXPECT_EQ(collect(*pattern), truth);
    EXPECT_EQ(collect(*pattern), truth) << "the second pass differs from the first";
  }
}

TEST(Generate, GeometricDegreesAreAboutSixteen) {
  std::uint64_t pairs = 0;
  make_geometric(4096, 2)->for_each_pair([&](Rank, Rank, Weight) { ++pairs; });
  EXPECT_GT(2.0 * static_cast<double>(pairs) / 4096, 14);
  EXPECT_LT(2.0 * static_cast<double>(pairs) / 4096, 17);
}

/// Neighbours in an unstructured mesh, by testing all points against all pairs.
Pairs mesh_by_definition(std::uint32_t n, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<std::array<double, 3>> points(n);
  for (auto& point : points) {
    for (double& coordinate : point) coordinate = rng.uniform();
  }
  const double longest = 3 / std::cbrt(n);
  Pairs pairs;
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = i + 1; j < n; ++j) {
      std::array<double, 3> middle{};
      for (unsigned d = 0; d < 3; ++d) middle[d] = (points[i][d] + points[j][d]) / 2;
      const auto distance = [](const auto& a, const auto& b) {
        return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
      };
      const double length = distance(points[i], points[j]);
      bool neighbours = length <= longest;
      for (std::uint32_t k = 0; k < n && neighbours; ++k) {
        neighbours = k == i || k == j || distance(points[k], middle) >= length / 2;
      }
      if (neighbours) pairs[{i, j}] = 1 + rng.below(1000);
    }
  }
  return pairs;
}

TEST(Generate, MeshesMatchTheirDefinition) {
  for (const std::uint32_t n : {1U, 2U, 5U, 60U, 300U}) {
    const auto pattern = make_mesh(n, 7);
    EXPECT_EQ(collect(*pattern), mesh_by_definition(n, 7));
    EXPECT_EQ(collect(*pattern), mesh_by_definition(n, 7)) << "the second pass differs";
  }
}

TEST(Generate, DenseOnesVisitEveryPairInOrder) {
  Rng rng(4);
  Pairs truth;
  Pairs flat;
  for (std::uint32_t i = 0; i < 10; ++i) {
    for (std::uint32_t j = i + 1; j < 10; ++j) {
      truth[{i, j}] = 1 + rng.below(1000);
      flat[{i, j}] = 6;
    }
  }
  EXPECT_EQ(collect(*make_dense_random(10, 4)), truth);
  EXPECT_EQ(collect(*make_alltoall(10, 6)), flat);
}

TEST(Generate, RmatKeepsItsDraws) {
  const auto pairs = collect(*make_rmat(6, 5000, 1));
  std::uint64_t sum = 0;
  for (const auto& [key, weight] : pairs) sum += weight;
  EXPECT_LT(sum, 5000U);  // some draws are loops
  EXPECT_GT(sum, 4000U);
  EXPECT_EQ(make_rmat(6, 5000, 1)->ranks(), 64U);
  EXPECT_NE(pairs, collect(*make_rmat(6, 5000, 2)));
  EXPECT_TRUE(collect(*make_rmat(0, 10, 1)).empty());
}

TEST(Generate, CgMatchesItsDefinition) {
  for (const std::uint32_t side : {1U, 2U, 8U}) {
    Pairs truth;
    for (std::uint32_t r = 0; r < side; ++r) {
      for (std::uint32_t c = 0; c < side; ++c) {
        for (std::uint32_t bit = 1; bit < side; bit *= 2) {
          truth[std::minmax({r * side + c, r * side + (c ^ bit)})] = 1000;
        }
        if (r != c) truth[std::minmax({r * side + c, c * side + r})] = 1000;
      }
    }
    EXPECT_EQ(collect(*make_cg(side * side, 1000)), truth);
  }
}

// From the geometry: a pair object for each two cells that touch, and for each cell with itself.
TEST(Generate, LeanMdHasAnObjectForEachPairOfNeighbouringCells) {
  const std::array<std::uint32_t, 3> extents{3, 4, 5};
  const std::uint32_t cells = 60;
  const auto pattern = make_leanmd({extents, 10, 7});
  EXPECT_EQ(pattern->ranks(), cells * 15 + 7);
  std::map<std::uint32_t, std::set<std::uint32_t>> cells_of;
  for (const auto& [key, weight] : collect(*pattern)) {
    EXPECT_EQ(weight, 240U);
    EXPECT_LT(key.first, cells);
    EXPECT_GE(key.second, cells);
    EXPECT_LT(key.second, cells * 15);
    cells_of[key.second].insert(key.first);
  }
  EXPECT_EQ(cells_of.size(), cells * 14);
  std::set<std::set<std::uint32_t>> found;
  for (const auto& [pair, members] : cells_of) found.insert(members);
  EXPECT_EQ(found.size(), cells * 14);
  const auto touch = [&](std::uint32_t a, std::uint32_t b) {
    for (std::size_t axis = 3; axis-- > 0; a /= extents[axis], b /= extents[axis]) {
      const std::uint32_t apart =
          (a % extents[axis] + extents[axis] - b % extents[axis]) % extents[axis];
      if (std::min(apart, extents[axis] - apart) > 1) return false;
    }
    return true;
  };
  for (const auto& members : found) EXPECT_TRUE(touch(*members.begin(), *members.rbegin()));
  EXPECT_EQ(make_leanmd({})->ranks(), 3240U);
}

// Word for word what NAS CG's setup_proc_info computes, whole numbers divided as there.
TEST(Generate, CgIsNasCgOnAnyPowerOfTwo) {
  for (const std::uint32_t ranks : {2U, 8U, 16U, 128U, 512U}) {
    const std::uint32_t rows = 1U << (static_cast<unsigned>(std::countr_zero(ranks)) / 2);
    const std::uint32_t columns = ranks / rows;
    Pairs truth;
    for (std::uint32_t me = 0; me < ranks; ++me) {
      const std::uint32_t row = me / columns;
      const std::uint32_t column = me % columns;
      const std::uint32_t partner = columns == rows
                                        ? me % rows * rows + me / rows
                                        : 2 * (me / 2 % rows * rows + me / 2 / rows) + me % 2;
      if (partner != me) truth[std::minmax({me, partner})] = 7;
      for (std::uint32_t factor = columns; factor > 1; factor /= 2) {
        const std::uint32_t other = (column + factor / 2) % factor + column / factor * factor;
        truth[std::minmax({me, row * columns + other})] = 7;
      }
    }
    std::uint64_t visits = 0;
    make_cg(ranks, 7)->for_each_pair([&](Rank, Rank, Weight) { ++visits; });
    EXPECT_EQ(collect(*make_cg(ranks, 7)), truth);
    EXPECT_EQ(visits, truth.size());
  }
}

TEST(Generate, LuIsAGridOfProcesses) {
  const Pairs square = collect(*make_lu(16, 5));
  EXPECT_EQ(square.size(), 24U);
  EXPECT_EQ(square.at({5, 6}), 5U);
  EXPECT_EQ(square.at({5, 9}), 5U);
  EXPECT_FALSE(square.contains({3, 4}));
  const Pairs oblong = collect(*make_lu(8, 5));  // 4 x 2
  EXPECT_EQ(oblong, (Pairs{{{0, 1}, 10},
                           {{1, 2}, 10},
                           {{2, 3}, 10},
                           {{4, 5}, 10},
                           {{5, 6}, 10},
                           {{6, 7}, 10},
                           {{0, 4}, 5},
                           {{1, 5}, 5},
                           {{2, 6}, 5},
                           {{3, 7}, 5}}));
  EXPECT_TRUE(collect(*make_lu(1, 5)).empty());
}

struct Moments {
  double mean = 0;
  double deviation = 0;
};
Moments moments_of(const std::vector<double>& values) {
  Moments moments;
  for (const double v : values) moments.mean += v / static_cast<double>(values.size());
  for (const double v : values) {
    moments.deviation +=
        (v - moments.mean) * (v - moments.mean) / static_cast<double>(values.size());
  }
  moments.deviation = std::sqrt(moments.deviation);
  return moments;
}

TEST(Generate, NoiseFollowsItsModel) {
  constexpr Weight weight = 1'000'000;
  const auto noise = [&](NoiseModel model, double level) {
    std::vector<double> values;
    for (const auto& [key, w] : collect(*make_noisy(make_alltoall(200, weight), model, level, 3))) {
      values.push_back(static_cast<double>(w) - static_cast<double>(weight));
    }
    return values;
  };
  const auto expect_spread = [](const std::vector<double>& values, double deviation) {
    const Moments found = moments_of(values);
    EXPECT_NEAR(found.mean / deviation, 0, 0.03);
    EXPECT_NEAR(found.deviation / deviation, 1, 0.03);
  };
  const auto within = [](const std::vector<double>& values, double deviations) {
    return static_cast<double>(
               std::ranges::count_if(values, [=](double v) { return std::abs(v) <= deviations; })) /
           static_cast<double>(values.size());
  };
  const auto normal = noise(NoiseModel::gaussian_additive, 1000);
  expect_spread(normal, 1000);
  EXPECT_NEAR(within(normal, 1000), 0.683, 0.02);  // the paper's 68.3% and 95.4%
  EXPECT_NEAR(within(normal, 2000), 0.954, 0.01);
  expect_spread(noise(NoiseModel::gaussian_multiplicative, 0.01), 0.01 * weight);
  const auto uniform = noise(NoiseModel::uniform_additive, 1000);
  expect_spread(uniform, 1000 / std::sqrt(3.0));
  EXPECT_EQ(within(uniform, 1000), 1);
  expect_spread(noise(NoiseModel::uniform_multiplicative, 0.01), 0.01 * weight / std::sqrt(3.0));
}

TEST(Generate, AddedNoiseReachesAllPairsMultipliedNoiseThoseThatTalk) {
  const auto plain = [] { return make_stencil({10, 10}, 5, false, {1000}); };
  const std::size_t pairs = collect(*plain()).size();
  for (const NoiseModel model : {NoiseModel::gaussian_additive, NoiseModel::uniform_additive}) {
    const Pairs noisy = collect(*make_noisy(plain(), model, 100, 1));
    const std::size_t silent = 4950 - pairs;  // half of them get less than 0: nothing
    EXPECT_NEAR(static_cast<double>(noisy.size() - pairs), static_cast<double>(silent) / 2, 150);
    EXPECT_EQ(collect(*make_noisy(plain(), model, 100, 1)), noisy);
    EXPECT_NE(collect(*make_noisy(plain(), model, 100, 2)), noisy);
    EXPECT_EQ(collect(*make_noisy(plain(), model, 0, 1)), collect(*plain()));
  }
  for (const NoiseModel model :
       {NoiseModel::gaussian_multiplicative, NoiseModel::uniform_multiplicative}) {
    for (const auto& [key, w] : collect(*make_noisy(plain(), model, 3, 1))) {
      EXPECT_TRUE(collect(*plain()).contains(key));
    }
    EXPECT_LT(collect(*make_noisy(plain(), model, 3, 1)).size(), pairs);  // some became 0
    EXPECT_EQ(collect(*make_noisy(plain(), model, 0, 1)), collect(*plain()));
  }
  EXPECT_THROW(make_noisy(plain(), NoiseModel::uniform_additive, -1, 1), Error);
}

TEST(Generate, SparseKeepsTheHeavyPairs) {
  const auto all = collect(*make_dense_random(30, 1));
  Weight heaviest = 0;
  for (const auto& [key, w] : all) heaviest = std::max(heaviest, w);
  Pairs truth = all;
  std::erase_if(truth, [&](const auto& pair) { return 2 * pair.second <= heaviest; });
  EXPECT_EQ(collect(*make_sparse(make_dense_random(30, 1), 0.5)), truth);
  EXPECT_EQ(collect(*make_sparse(make_dense_random(30, 1), 0)), all);
  EXPECT_TRUE(collect(*make_sparse(make_dense_random(30, 1), 1)).empty());
  EXPECT_THROW(make_sparse(make_dense_random(30, 1), 1.5), Error);
}

TEST(Generate, PermutedIsTheSameGraphUnderNewNames) {
  const auto p = random_permutation(20, 3);
  Pairs truth;
  for (const auto& [key, w] : collect(*make_dense_random(20, 1))) {
    truth[std::minmax({p[key.first], p[key.second]})] = w;
  }
  EXPECT_EQ(collect(*make_permuted(make_dense_random(20, 1), 3)), truth);
}

TEST(Generate, MatrixCarriesTheWeightBothWays) {
  const TrafficMatrix m = to_matrix(*make_stencil({2, 3}, 5, false, {4}));
  EXPECT_EQ(m.ranks(), 6U);
  EXPECT_EQ(m.entries(), 14U);
  EXPECT_EQ(m.at(Rank{0}, Rank{3}), 4U);
  EXPECT_EQ(m.at(Rank{3}, Rank{0}), 4U);
}

TEST(Generate, BadParametersAreErrors) {
  EXPECT_THROW(make_stencil({4}, 5, false, {1}), Error);
  EXPECT_THROW(make_stencil({4, 4, 4, 4}, 7, false, {1}), Error);
  EXPECT_THROW(make_stencil({4, 0}, 5, false, {1}), Error);
  EXPECT_THROW(make_stencil({65536, 65536}, 5, false, {1}), Error);
  EXPECT_THROW(make_stencil({4096, 4096, 4096}, 7, false, {1}), Error);
  EXPECT_THROW(make_stencil({4, 4}, 7, false, {1}), Error);
  EXPECT_THROW(make_stencil({4, 4, 4}, 9, false, {1}), Error);
  EXPECT_THROW(make_stencil({4, 4}, 5, false, {}), Error);
  EXPECT_THROW(make_stencil({4, 4}, 5, false, {1, 2}), Error);
  EXPECT_THROW(make_stencil({4, 4, 4}, 27, false, {1, 2}), Error);
  EXPECT_THROW(make_alltoall(0, 1), Error);
  EXPECT_THROW(make_dense_random(0, 1), Error);
  EXPECT_THROW(make_geometric(0, 1), Error);
  EXPECT_THROW(make_rmat(32, 1, 1), Error);
  EXPECT_THROW(make_lu(12, 1), Error);
  EXPECT_THROW(make_lu(0, 1), Error);
  EXPECT_THROW(make_lu(8, Weight{1} << 61), Error);
  EXPECT_THROW(make_cg(9, 1), Error);
  EXPECT_THROW(make_cg(0, 1), Error);
  EXPECT_THROW(make_leanmd({{6, 2, 6}}), Error);
  EXPECT_THROW(make_leanmd({{6, 6, 6}, 0}), Error);
  EXPECT_THROW(make_leanmd({{2000, 2000, 2000}}), Error);
  EXPECT_THROW(make_leanmd({{6, 6, 6}, 1, UINT32_MAX}), Error);
}

}  // namespace
}  // namespace kith
