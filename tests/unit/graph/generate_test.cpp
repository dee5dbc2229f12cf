#include "kith/detail/generate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "core/rng.hpp"
#include "kith/error.hpp"
#include "unit/graph/generated_pairs.hpp"

namespace kith {
namespace {

using testing::collect;
using testing::Pairs;

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
