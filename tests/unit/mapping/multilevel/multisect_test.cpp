#include "mapping/multilevel/multisect.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "unit/mapping/multilevel/random_work_graph.hpp"

namespace kith::multilevel {
namespace {

/// Parts of these sizes in which all talk to each other and to nobody else, ranks in random order.
WorkGraph cliques(std::mt19937_64& random, std::span<const std::uint64_t> sizes) {
  std::vector<std::uint32_t> clique_of;
  for (std::uint32_t p = 0; p < sizes.size(); ++p) clique_of.insert(clique_of.end(), sizes[p], p);
  std::ranges::shuffle(clique_of, random);
  const auto ranks = static_cast<std::uint32_t>(clique_of.size());
  TrafficMatrixBuilder builder(ranks);
  for (std::uint32_t i = 0; i < ranks; ++i) {
    for (std::uint32_t j = 0; j < i; ++j) {
      if (clique_of[i] == clique_of[j]) builder.add(Rank(i), Rank(j), 1);
    }
  }
  return work_graph(TrafficGraph::from(builder.build()));
}

std::vector<std::uint64_t> sizes_of(const std::vector<std::uint32_t>& part, std::size_t parts) {
  std::vector<std::uint64_t> sizes(parts);
  for (const std::uint32_t p : part) ++sizes[p];
  return sizes;
}

TEST(Multisect, GivesEachPartItsSize) {
  std::mt19937_64 random(9);
  for (int round = 0; round < 60; ++round) {
    std::vector<std::uint64_t> sizes(1 + random() % 7);
    std::uint64_t total = 0;
    for (auto& size : sizes) total += size = 1 + random() % 60;
    const WorkGraph graph =
        testing::random_work_graph(random, static_cast<std::uint32_t>(total), 0.05, 100);
    Rng rng(static_cast<std::uint64_t>(round));
    const Trials trials{.partitions = 1 + static_cast<unsigned>(round) % 3,
                        .cycles = static_cast<unsigned>(round) % 4};
    ASSERT_EQ(sizes_of(multisect(graph, sizes, trials, rng, nullptr), sizes.size()), sizes);
  }
}

TEST(Multisect, FindsPartsThatAreApart) {
  std::mt19937_64 random(10);
  const std::vector<std::uint64_t> sizes(8, 16);
  Rng rng(1);
  const WorkGraph graph = cliques(random, sizes);
  EXPECT_EQ(testing::cut_of(graph, multisect(graph, sizes, {}, rng, nullptr)), 0);
}

TEST(Multisect, MorePartitionsAndCyclesAreNeverWorse) {
  std::mt19937_64 random(11);
  const std::vector<std::uint64_t> sizes = {40, 40, 40, 40, 40};
  int better = 0;
  for (int round = 0; round < 20; ++round) {
    const WorkGraph graph = testing::random_work_graph(random, 200, 0.03, 100);
    const auto cut = [&](const Trials& trials) {
      Rng rng(5);
      return testing::cut_of(graph, multisect(graph, sizes, trials, rng, nullptr));
    };
    const std::int64_t one = cut({});
    const std::int64_t three = cut({.partitions = 3});
    const std::int64_t combined = cut({.partitions = 3, .cycles = 4});
    ASSERT_LE(three, one);
    ASSERT_LE(combined, three);
    if (combined < three) ++better;
  }
  EXPECT_GT(better, 10);
}

/// Vertices in turn to each of as many parts.
std::vector<std::uint32_t> dealt(std::uint32_t vertices, std::uint32_t parts) {
  std::vector<std::uint32_t> part(vertices);
  for (std::uint32_t v = 0; v < vertices; ++v) part[v] = v % parts;
  return part;
}

TEST(Multisect, PairsAreRefinedInSoManySweeps) {
  std::mt19937_64 random(12);
  const WorkGraph graph = testing::random_work_graph(random, 160, 0.5, 100);
  const std::vector<std::uint64_t> sizes(8, 20);
  std::int64_t before = testing::cut_of(graph, dealt(160, 8));
  for (const unsigned sweeps : {1U, 4U, 1000U}) {
    auto part = dealt(160, 8);
    PairRefiner refiner(graph, sizes, part, nullptr);
    // Each of 8 parts talks to 7 others: a round takes 7 sweeps.
    EXPECT_EQ(refiner.refine({.sweeps = sweeps}), sweeps == 1000);
    EXPECT_LT(refiner.cut(), before);
    before = refiner.cut();
  }
}

TEST(Multisect, TriesLessWhereAllPartsTalkToEachOther) {
  std::mt19937_64 random(13);
  const WorkGraph graph = testing::random_work_graph(random, 320, 0.3, 100);
  const std::vector<std::uint64_t> sizes(16, 20);
  const auto parts = [&](unsigned partitions, unsigned cycles) {
    Rng rng(1);
    const Trials trials{.partitions = partitions, .cycles = cycles, .sweeps = 4};
    return multisect(graph, sizes, trials, rng, nullptr);
  };
  EXPECT_EQ(parts(1, 1), parts(1, 0));
  EXPECT_EQ(parts(3, 3), parts(2, 2));
  EXPECT_NE(parts(2, 2), parts(1, 0));
}

}  // namespace
}  // namespace kith::multilevel
