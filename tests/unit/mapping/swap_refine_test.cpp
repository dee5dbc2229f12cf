#include "mapping/refine/refine.hpp"

#include <gtest/gtest.h>

#include "kith/detail/generate.hpp"
#include "mapping/budget.hpp"
#include "unit/mapping/random_refinement.hpp"

namespace kith {
namespace {

TEST(SwapRefine, ImprovesWithinTheRules) {
  std::mt19937_64 random(31);
  int improved = 0;
  for (int round = 0; round < 400; ++round) {
    const auto tree = round % 2 == 0 ? testing::random_symmetric_tree(random, 60)
                                     : testing::random_unequal_tree(random);
    const testing::PlainMachine plain(*tree);
    const Machine& any = round % 4 < 2 ? static_cast<const Machine&>(*tree) : plain;
    const Objective objective = round % 5 == 0 ? Objective::sum_com : Objective::hop_bytes;
    if (testing::refine_random_problem(random, any, round % 3 == 0, objective)) ++improved;
    ASSERT_FALSE(HasFailure()) << "round " << round;
  }
  EXPECT_GT(improved, 200);
}

TEST(SwapRefine, PutsPartnersTogether) {
  // Pairs (i, i + 8) start on different hosts.
  TrafficMatrixBuilder builder(16);
  for (std::uint32_t i = 0; i < 8; ++i) builder.add(Rank(i), Rank(i + 8), 10);
  const auto graph = TrafficGraph::from(builder.build());
  const auto machine = parse_machine("tree:8x2");
  const MapOptions options;
  const Mapping mapping =
      refine_by_swaps({graph, *machine, options}, identity_mapping(16, *machine, 1));
  EXPECT_EQ(evaluate_objective(graph, *machine, mapping, Objective::hop_bytes), 8U * 10 * 2);
}

TEST(SwapRefine, MovesToFreeSlots) {
  TrafficMatrixBuilder builder(2);
  builder.add(Rank(0), Rank(1), 10);
  const auto graph = TrafficGraph::from(builder.build());
  const auto machine = parse_machine("tree:2x4");
  const MapOptions options;
  const Mapping mapping = refine_by_swaps({graph, *machine, options}, {{Slot(0), Slot(7)}});
  EXPECT_EQ(machine->hops(mapping[Rank(0)], mapping[Rank(1)]), 2U);
}

TEST(SwapRefine, StopsWhenTheWorkIsDone) {
  const auto graph =
      TrafficGraph::from(to_matrix(*make_permuted(make_stencil({16, 16}, 5, false, {1}), 3)));
  const auto machine = parse_machine("tree:8x4x8");
  const Mapping start = identity_mapping(256, *machine, 1);
  std::uint64_t previous = evaluate_objective(graph, *machine, start, Objective::hop_bytes);
  MapOptions options;
  for (const std::uint64_t work : {0, 50, 500, 2500}) {
    options.work = work;
    Budget budget(options);
    const Mapping mapping = refine_by_swaps({graph, *machine, options, &budget}, start);
    const auto value = evaluate_objective(graph, *machine, mapping, Objective::hop_bytes);
    EXPECT_EQ(budget.stopped(), Stopped::work) << work;
    if (work == 0) {
      EXPECT_EQ(mapping, start);
    } else {
      EXPECT_LT(value, previous) << work;
    }
    previous = value;
  }
  options.work = 1'000'000'000;
  Budget plenty(options);
  refine_by_swaps({graph, *machine, options, &plenty}, start);
  EXPECT_EQ(plenty.stopped(), Stopped::done);
}

TEST(SwapRefine, StopsWhenTheTimeIsUp) {
  const auto graph = TrafficGraph::from(to_matrix(*make_rmat(10, 20000, 3)));
  const auto machine = parse_machine("tree:8x16x8");
  MapOptions options;
  options.time_limit = 0;
  Budget budget(options);
  const Mapping start = identity_mapping(1024, *machine, 1);
  EXPECT_EQ(refine_by_swaps({graph, *machine, options, &budget}, start), start);
  EXPECT_EQ(budget.stopped(), Stopped::time);
}

}  // namespace
}  // namespace kith
