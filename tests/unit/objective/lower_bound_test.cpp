#include <gtest/gtest.h>

#include <limits>

#include "kith/objective.hpp"
#include "unit/objective/random_problem.hpp"

namespace kith {
namespace {

TEST(LowerBound, IsReachedWhereEachRankCanHaveAllItsTalkersNear) {
  TrafficMatrixBuilder builder(8);
  for (std::uint32_t i = 0; i < 8; i += 2) builder.add(Rank(i), Rank(i + 1), 10);
  builder.add(Rank(0), Rank(7), 1);
  const auto graph = TrafficGraph::from(builder.build());
  // Pairs at 2 hops; rank 0 has a second talker, who can be no nearer than 4; so has rank 7.
  const auto machine = parse_machine("tree:2x2x2");
  const auto bound = objective_lower_bound(graph, *machine, Objective::hop_bytes, 1);
  ASSERT_TRUE(bound);
  EXPECT_EQ(bound->units, 4U * 10 * 2 + 4);
  EXPECT_EQ(bound->scale, 1U);
  const auto scaled = parse_machine("tree:2x2x2@9,5,.5");
  const auto cost = objective_lower_bound(graph, *scaled, Objective::sum_com, 1);
  EXPECT_EQ(cost->units, 4U * 10 * 5 + 50);
  EXPECT_EQ(cost->scale, 10U);
  // Two to a slot: the pairs are at no distance.
  EXPECT_EQ(objective_lower_bound(graph, *machine, Objective::hop_bytes, 2)->units, 2U);
}

// Against the best of all mappings, on problems of up to seven slots.
TEST(LowerBound, IsBelowEveryMapping) {
  std::mt19937_64 random(81);
  for (int round = 0; round < 150; ++round) {
    const auto tree = round % 2 == 0 ? testing::random_symmetric_tree(random, 7)
                                     : testing::random_unequal_tree(random);
    if (tree->slots() > 7) continue;
    std::vector<Slot> kept;
    for (std::uint32_t s = 0; s < tree->slots(); ++s) {
      if (random() % 4 > 0 || s == 0) kept.emplace_back(s);
    }
    const auto machine = tree->restricted_to(SlotSet::of(kept));
    const auto ranks = static_cast<std::uint32_t>(1 + random() % kept.size());
    const auto graph = TrafficGraph::from(testing::random_matrix(random, ranks, 0.6, 20));
    for (const Objective objective : {Objective::hop_bytes, Objective::sum_com}) {
      std::uint64_t best = std::numeric_limits<std::uint64_t>::max();
      std::ranges::sort(kept);
      do {
        const Mapping mapping{{kept.begin(), kept.begin() + ranks}};
        best = std::min(best, evaluate_objective(graph, *machine, mapping, objective));
      } while (std::ranges::next_permutation(kept).found);
      ASSERT_LE(objective_lower_bound(graph, *machine, objective, 1)->units, best);
    }
  }
}

TEST(LowerBound, HoldsWhereUpperLevelsAreCheaper) {
  TrafficMatrixBuilder builder(4);
  builder.add(Rank(0), Rank(1), 10);
  const auto graph = TrafficGraph::from(builder.build());
  const auto machine = parse_machine("tree:2x2@3,8");
  EXPECT_EQ(objective_lower_bound(graph, *machine, Objective::sum_com, 1)->units, 30U);
}

TEST(LowerBound, IsUnknownElsewhere) {
  const auto tree = TreeMachine::symmetric({4}, {}, 1, "tree:4");
  TrafficMatrixBuilder builder(4);
  const auto graph = TrafficGraph::from(builder.build());
  const testing::PlainMachine plain(*tree);
  EXPECT_FALSE(objective_lower_bound(graph, plain, Objective::hop_bytes, 1).has_value());
}

}  // namespace
}  // namespace kith
