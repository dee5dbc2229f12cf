#include "mapping/multilevel/two_way.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "unit/mapping/multilevel/random_work_graph.hpp"

namespace kith::multilevel {
namespace {

using Sides = std::vector<std::uint8_t>;

WorkGraph random_graph(std::mt19937_64& random, Weight max_weight) {
  const auto vertices = 2 + static_cast<std::uint32_t>(random() % 30);
  WorkGraph graph = testing::random_work_graph(random, vertices, 0.2, max_weight);
  if (random() % 2 == 0) {
    for (std::uint32_t v = 0; v < vertices; ++v) {
      graph.bias.push_back(static_cast<std::int64_t>(random() % (2 * max_weight)) -
                           static_cast<std::int64_t>(max_weight));
    }
  }
  return graph;
}

Sides random_sides(std::mt19937_64& random, std::uint32_t vertices) {
  Sides side(vertices);
  for (auto& one : side) one = random() % 2;
  return side;
}

std::uint64_t size_of_0(const Sides& side) {
  return static_cast<std::uint64_t>(std::ranges::count(side, 0));
}

TEST(TwoWay, KeepsItsAccountAndSizesAndIsNeverWorse) {
  std::mt19937_64 random(3);
  int improved = 0;
  for (int round = 0; round < 500; ++round) {
    const WorkGraph graph = random_graph(random, round % 2 == 0 ? 10 : Weight{1} << 48);
    Sides side = random_sides(random, graph.vertices());
    const std::uint64_t before = size_of_0(side);
    TwoWay two_way(graph, side);
    const std::int64_t cost = testing::two_way_cost(graph, side);
    ASSERT_EQ(two_way.cost(), cost);
    two_way.refine({before, 0}, 4, 50);
    ASSERT_EQ(two_way.cost(), testing::two_way_cost(graph, side));
    ASSERT_LE(two_way.cost(), cost);
    ASSERT_EQ(size_of_0(side), before);
    if (two_way.cost() < cost) ++improved;
  }
  EXPECT_GT(improved, 300);
}

TEST(TwoWay, ReachesTheSizeThatItIsGiven) {
  std::mt19937_64 random(4);
  for (int round = 0; round < 200; ++round) {
    const WorkGraph graph = random_graph(random, 10);
    Sides side = random_sides(random, graph.vertices());
    const std::uint64_t target = random() % (graph.vertices() + 1);
    TwoWay two_way(graph, side);
    two_way.refine({target, 0}, 4, 50);
    ASSERT_EQ(size_of_0(side), target);
    ASSERT_EQ(two_way.off({target, 0}), 0U);
  }
}

TEST(TwoWay, LeavesSmallGraphsNearTheOptimum) {
  std::mt19937_64 random(5);
  int optimal = 0;
  for (int round = 0; round < 100; ++round) {
    WorkGraph graph = testing::random_work_graph(random, 10, 0.25, 10);
    Sides side(10);
    std::fill(side.begin() + 5, side.end(), 1);
    Sides any = side;
    std::int64_t best = testing::two_way_cost(graph, any);
    while (std::ranges::next_permutation(any).found) {
      best = std::min(best, testing::two_way_cost(graph, any));
    }
    TwoWay two_way(graph, side);
    two_way.refine({5, 0}, 8, 50);
    ASSERT_GE(two_way.cost(), best);
    if (two_way.cost() == best) ++optimal;
  }
  EXPECT_GT(optimal, 60);
}

TEST(TwoWay, CountsWeightsUpToTheLimit) {
  // Four ranks in a ring of heavy and light pairs: 0-1 and 2-3 belong together.
  const std::int64_t heavy = std::int64_t{1} << 59;
  WorkGraph graph;
  graph.sizes = {1, 1, 1, 1};
  graph.offsets = {0, 2, 4, 6, 8};
  graph.neighbours = {1, 3, 0, 2, 1, 3, 2, 0};
  graph.weights = {heavy, 1, heavy, 1, 1, heavy, heavy, 1};
  Sides side = {0, 1, 1, 0};
  TwoWay two_way(graph, side);
  EXPECT_EQ(two_way.cost(), 2 * heavy);
  two_way.refine({2, 0}, 4, 10);
  EXPECT_EQ(two_way.cost(), 2);
  EXPECT_EQ(side[0], side[1]);
}

TEST(TwoWay, StopsWithAValidStateWhenTheWorkIsDone) {
  std::mt19937_64 random(6);
  const WorkGraph graph = testing::random_work_graph(random, 2000, 0.005, 10);
  Sides side = random_sides(random, graph.vertices());
  const std::uint64_t before = size_of_0(side);
  const std::int64_t cost = testing::two_way_cost(graph, side);
  Sides unlimited = side;
  TwoWay(graph, unlimited).refine({before, 0}, 20, 2000);
  MapOptions options;
  options.work = 1000;
  Budget budget(options);
  TwoWay two_way(graph, side, &budget);
  two_way.refine({before, 0}, 20, 2000);
  EXPECT_EQ(budget.stopped(), Stopped::work);
  EXPECT_EQ(size_of_0(side), before);
  EXPECT_EQ(two_way.cost(), testing::two_way_cost(graph, side));
  EXPECT_LT(two_way.cost(), cost);
  EXPECT_GT(two_way.cost(), testing::two_way_cost(graph, unlimited));
}

}  // namespace
}  // namespace kith::multilevel
