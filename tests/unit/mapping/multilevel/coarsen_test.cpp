#include "mapping/multilevel/work_graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "unit/mapping/multilevel/random_work_graph.hpp"

namespace kith::multilevel {
namespace {

TEST(Coarsen, KeepsSizesCutsAndBias) {
  std::mt19937_64 random(7);
  Rng rng(1);
  for (int round = 0; round < 100; ++round) {
    WorkGraph graph = testing::random_work_graph(random, 60, 0.05, 100);
    for (std::uint32_t v = 0; v < 60; ++v) graph.bias.push_back(static_cast<int>(random() % 9) - 4);
    const Coarse coarse = coarsen(graph, 2 + round % 3, rng);
    ASSERT_LT(coarse.graph.vertices(), 50U);
    ASSERT_EQ(coarse.graph.total_size(), 60U);
    ASSERT_LE(std::ranges::max(coarse.graph.sizes), 2U + static_cast<unsigned>(round) % 3);
    std::vector<std::uint8_t> side(coarse.graph.vertices());
    for (auto& one : side) one = random() % 2;
    std::vector<std::uint8_t> below(60);
    for (std::size_t v = 0; v < 60; ++v) below[v] = side[coarse.group_of[v]];
    ASSERT_EQ(testing::two_way_cost(coarse.graph, side), testing::two_way_cost(graph, below));
  }
}

TEST(Coarsen, StaysInsideBlocks) {
  std::mt19937_64 random(8);
  Rng rng(1);
  const WorkGraph graph = testing::random_work_graph(random, 200, 0.03, 100);
  std::vector<std::uint32_t> block(200);
  for (auto& one : block) one = static_cast<std::uint32_t>(random() % 3);
  const Coarse coarse = coarsen(graph, 4, rng, block);
  EXPECT_LT(coarse.graph.vertices(), 170U);
  std::vector<std::uint32_t> block_of_group(coarse.graph.vertices(), UINT32_MAX);
  for (std::size_t v = 0; v < 200; ++v) {
    std::uint32_t& here = block_of_group[coarse.group_of[v]];
    if (here == UINT32_MAX) here = block[v];
    EXPECT_EQ(here, block[v]);
  }
}

}  // namespace
}  // namespace kith::multilevel
