#include "mapping/multilevel/multisect.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "unit/mapping/multilevel/random_work_graph.hpp"

namespace kith::multilevel {
namespace {

std::int64_t cost_of(const WorkGraph& graph, const TreeBlocks& blocks,
                     const std::vector<std::uint32_t>& block_of) {
  std::int64_t twice = 0;
  for (std::uint32_t v = 0; v < graph.vertices(); ++v) {
    for (std::size_t i = 0; i < graph.neighbours_of(v).size(); ++i) {
      twice +=
          graph.weights_of(v)[i] * blocks.between(block_of[v], block_of[graph.neighbours_of(v)[i]]);
    }
  }
  return twice / 2;
}

bool talk(const WorkGraph& graph, const std::vector<std::uint32_t>& block_of, BlockPair pair) {
  for (std::uint32_t v = 0; v < graph.vertices(); ++v) {
    if (block_of[v] != pair.first) continue;
    for (const std::uint32_t u : graph.neighbours_of(v)) {
      if (block_of[u] == pair.second) return true;
    }
  }
  return false;
}

/// Whether some exchange of one for one lowers the cost.
bool gains(const WorkGraph& graph, const TreeBlocks& blocks, std::vector<std::uint32_t> block_of,
           BlockPair pair) {
  const std::int64_t before = cost_of(graph, blocks, block_of);
  for (std::uint32_t v = 0; v < graph.vertices(); ++v) {
    for (std::uint32_t u = 0; u < graph.vertices(); ++u) {
      if (block_of[v] != pair.first || block_of[u] != pair.second) continue;
      std::swap(block_of[v], block_of[u]);
      const std::int64_t after = cost_of(graph, blocks, block_of);
      std::swap(block_of[v], block_of[u]);
      if (after < before) return true;
    }
  }
  return false;
}

TEST(PromisingPairs, MissNoPairThatTalksAndCouldGain) {
  std::mt19937_64 random(12);
  int found = 0;
  int left_out = 0;
  for (int round = 0; round < 60; ++round) {
    const auto tree = testing::random_symmetric_tree(random, 24);
    const auto slots = static_cast<std::uint32_t>(tree->objects(tree->depth()));
    const unsigned level = tree->depth() - 1;
    const auto count = static_cast<std::uint32_t>(tree->objects(level));
    std::vector<std::uint64_t> objects(count);
    for (std::uint32_t b = 0; b < count; ++b) objects[b] = b;
    const Objective objective = tree->has_costs() ? Objective::sum_com : Objective::hop_bytes;
    const TreeBlocks blocks(*tree, TreeDistance(*tree, objective), level, objects);
    std::vector<std::uint32_t> block_of;
    for (std::uint32_t r = 0; r < slots; ++r) block_of.push_back(r % count);
    const WorkGraph graph = testing::random_work_graph(random, slots, 0.1, 20);
    const auto pairs = promising_pairs(graph, blocks, block_of, std::vector<bool>(count, true));
    for (std::uint32_t a = 0; a < count; ++a) {
      for (std::uint32_t b = a + 1; b < count; ++b) {
        const bool is_in = std::ranges::find(pairs, BlockPair{a, b}) != pairs.end();
        if (talk(graph, block_of, {a, b}) && gains(graph, blocks, block_of, {a, b})) {
          ASSERT_TRUE(is_in) << "round " << round << ": " << a << " and " << b;
          ++found;
        }
        if (!is_in) ++left_out;
      }
    }
  }
  EXPECT_GT(found, 100);
  EXPECT_GT(left_out, 100);
}

TEST(PromisingPairs, AreOnlyThoseWithAChange) {
  std::mt19937_64 random(13);
  const WorkGraph graph = testing::random_work_graph(random, 40, 0.3, 20);
  std::vector<std::uint32_t> block_of;
  for (std::uint32_t r = 0; r < 40; ++r) block_of.push_back(r % 5);
  std::vector<bool> changed(5);
  const TreeBlocks blocks = TreeBlocks::brothers(5);
  EXPECT_TRUE(promising_pairs(graph, blocks, block_of, changed).empty());
  changed[2] = true;
  const auto pairs = promising_pairs(graph, blocks, block_of, changed);
  EXPECT_FALSE(pairs.empty());
  for (const BlockPair& pair : pairs) EXPECT_TRUE(pair.first == 2 || pair.second == 2);
}

}  // namespace
}  // namespace kith::multilevel
