// Hill climbing where all ranks talk to each other.
#include "mapping/refine/refine.hpp"

#include <gtest/gtest.h>

#include "kith/detail/generate.hpp"
#include "unit/objective/random_problem.hpp"

namespace kith {
namespace {

constexpr std::uint64_t all = 10'000'000;  // more than any of these takes

/// The value after each single swap of `mapping`.
template <class Body>
void for_each_swap(Mapping mapping, const Body& body) {
  for (std::size_t a = 0; a < mapping.slot_of.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      std::swap(mapping.slot_of[a], mapping.slot_of[b]);
      body(mapping);
      std::swap(mapping.slot_of[a], mapping.slot_of[b]);
    }
  }
}

TEST(DenseSwaps, EndWhereNoSwapGains) {
  std::mt19937_64 random(3);
  int refined = 0;
  for (int round = 0; round < 40; ++round) {
    const auto tree = testing::random_unequal_tree(random);
    const auto ranks = static_cast<std::uint32_t>(1 + random() % tree->slots());
    const auto graph = TrafficGraph::from(testing::random_matrix(random, ranks, 0.9, 50));
    MapOptions options;
    options.objective = default_objective(*tree);
    const MapProblem problem{graph, *tree, options};
    if (!can_refine_dense(problem)) continue;
    ++refined;
    const auto value = [&](const Mapping& mapping) {
      return evaluate_objective(graph, *tree, mapping, options.objective);
    };
    const Mapping identity = map_ranks(find_algorithm("identity"), problem).mapping;
    const Mapping best = refine_dense(problem, identity, all, nullptr);
    ASSERT_LE(value(best), value(identity));
    for_each_swap(best, [&](const Mapping& other) { ASSERT_LE(value(best), value(other)); });
  }
  EXPECT_GT(refined, 10);
}

TEST(DenseSwaps, StopAfterSoManyTests) {
  const auto graph = TrafficGraph::from(to_matrix(*make_dense_random(64, 1)));
  const auto tree = parse_machine("tree:4x4x4@100,10,1");
  MapOptions options;
  options.objective = Objective::sum_com;
  const MapProblem problem{graph, *tree, options};
  ASSERT_TRUE(can_refine_dense(problem));
  const Mapping identity = map_ranks(find_algorithm("identity"), problem).mapping;
  EXPECT_EQ(refine_dense(problem, identity, 0, nullptr), identity);
  options.work = 63;  // a rank has 64 tests
  Budget budget(options);
  EXPECT_EQ(refine_dense(problem, identity, all, &budget), identity);
  EXPECT_EQ(budget.stopped(), Stopped::work);
  EXPECT_NE(refine_dense(problem, identity, all, nullptr), identity);
}

TEST(DenseSwaps, AreForPlainProblemsOnTreesOnly) {
  const auto graph = TrafficGraph::from(to_matrix(*make_dense_random(16, 1)));
  const auto tree = parse_machine("tree:4x4");
  const auto torus = parse_machine("torus:4x4");
  MapOptions options;
  EXPECT_TRUE(can_refine_dense(MapProblem{graph, *tree, options}));
  EXPECT_FALSE(can_refine_dense(MapProblem{graph, *torus, options}));
  options.capacity = 2;
  EXPECT_FALSE(can_refine_dense(MapProblem{graph, *tree, options}));
  options.capacity = 1;
  options.fixed = {{Rank(0), Slot(3)}};
  EXPECT_FALSE(can_refine_dense(MapProblem{graph, *tree, options}));
}

}  // namespace
}  // namespace kith
