#include "mapping/element_graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace kith {
namespace {

/// All pairs, weights 1 .. 5: many are equal.
TrafficGraph all_pairs(std::uint32_t ranks, std::mt19937_64& random) {
  TrafficMatrixBuilder builder(ranks);
  for (std::uint32_t a = 0; a < ranks; ++a) {
    for (std::uint32_t b = a + 1; b < ranks; ++b) builder.add(Rank(a), Rank(b), 1 + random() % 5);
  }
  return TrafficGraph::from(builder.build());
}

/// Whether fewer than `most` neighbours of `a` go before `b`.
bool chooses(const TrafficGraph& graph, Rank a, Rank b, std::uint32_t most) {
  const auto neighbours = graph.neighbours(a);
  const auto weights = graph.weights(a);
  const auto at = std::ranges::find(neighbours, b) - neighbours.begin();
  std::uint32_t before = 0;
  for (std::ptrdiff_t i = 0; i < std::ssize(neighbours); ++i) {
    const auto mine = static_cast<std::size_t>(at);
    const auto other = static_cast<std::size_t>(i);
    if (weights[other] > weights[mine] || (weights[other] == weights[mine] && i < at)) ++before;
  }
  return before < most;
}

TEST(HeaviestPairs, KeepsWhatEitherRankChooses) {
  std::mt19937_64 random(1);
  for (const std::uint32_t most : {1U, 3U, 100U}) {
    const TrafficGraph graph = all_pairs(17, random);
    const TrafficGraph kept = heaviest_pairs(graph, most);
    ASSERT_EQ(kept.ranks(), graph.ranks());
    for (Rank a(0); a.value < 17; ++a) {
      std::vector<Rank> expected;
      for (const Rank b : graph.neighbours(a)) {
        if (chooses(graph, a, b, most) || chooses(graph, b, a, most)) expected.push_back(b);
      }
      const auto neighbours = kept.neighbours(a);
      ASSERT_EQ(std::vector<Rank>(neighbours.begin(), neighbours.end()), expected);
      for (std::size_t i = 0; i < neighbours.size(); ++i) {
        const auto all = graph.neighbours(a);
        const auto at = std::ranges::find(all, neighbours[i]) - all.begin();
        EXPECT_EQ(kept.weights(a)[i], graph.weights(a)[static_cast<std::size_t>(at)]);
      }
    }
  }
}

}  // namespace
}  // namespace kith
