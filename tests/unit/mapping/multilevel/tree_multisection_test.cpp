#include "mapping/multilevel/multilevel.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "kith/mapper.hpp"
#include "mapping/budget.hpp"
#include "mapping/constraints.hpp"
#include "unit/objective/random_problem.hpp"

namespace kith::multilevel {
namespace {

std::uint32_t most_on_a_slot(const Mapping& mapping, std::uint32_t slots) {
  std::vector<std::uint32_t> ranks_on(slots);
  for (const Slot slot : mapping.slot_of) ++ranks_on.at(slot.value);
  return std::ranges::max(ranks_on);
}

TEST(TreeMultisection, KeepsCapacityAndBlocksAreNeverWorse) {
  std::mt19937_64 random(14);
  int improved = 0;
  for (int round = 0; round < 200; ++round) {
    const auto tree = round % 2 == 0 ? testing::random_symmetric_tree(random, 80)
                                     : testing::random_unequal_tree(random);
    MapOptions options;
    options.objective = round % 3 == 0 ? Objective::sum_com : Objective::hop_bytes;
    options.capacity = 1 + static_cast<std::uint32_t>(round) % 3;
    const auto places = static_cast<std::uint32_t>(tree->slots()) * options.capacity;
    const std::uint32_t ranks = 1 + static_cast<std::uint32_t>(random() % places);
    const Weight heaviest = round % 4 == 0 ? Weight{1} << 48 : 100;
    const auto graph =
        TrafficGraph::from(testing::random_matrix(random, ranks, 4.0 / ranks, heaviest));
    const MapProblem problem{graph, *tree, options};
    const auto mapping = multisect_tree(problem, *tree, {}, 1, nullptr);
    ASSERT_TRUE(mapping);
    ASSERT_EQ(mapping->slot_of.size(), ranks);
    ASSERT_LE(most_on_a_slot(*mapping, static_cast<std::uint32_t>(tree->slots())),
              options.capacity);
    const auto objective = [&](const Mapping& one) {
      return evaluate_objective(graph, *tree, one, options.objective);
    };
    Mapping shuffled = *mapping;
    std::ranges::shuffle(shuffled.slot_of, random);
    for (const Mapping& start : {*mapping, shuffled}) {
      const Mapping refined = refine_blocks(problem, *tree, start, {}, nullptr);
      ASSERT_LE(objective(refined), objective(start)) << "round " << round;
      ASSERT_LE(most_on_a_slot(refined, static_cast<std::uint32_t>(tree->slots())),
                options.capacity);
      if (objective(refined) < objective(start)) ++improved;
    }
    ASSERT_EQ(multisect_tree(problem, *tree, {}, 1, nullptr)->slot_of, mapping->slot_of);
  }
  EXPECT_GT(improved, 100);
}

TEST(TreeMultisection, FindsWhatBelongsTogether) {
  // Ranks i, i + 8, i + 16, ... talk; 8 nodes of 4 slots.
  TrafficMatrixBuilder builder(32);
  for (std::uint32_t i = 0; i < 32; ++i) {
    for (std::uint32_t j = i + 8; j < 32; j += 8) builder.add(Rank(i), Rank(j), 10);
  }
  const auto graph = TrafficGraph::from(builder.build());
  const auto machine = parse_machine("tree:8x4");
  const MapOptions options;
  const MapProblem problem{graph, *machine, options};
  const auto mapping = multisect_tree(problem, *machine->as_tree(), {}, 1, nullptr);
  EXPECT_EQ(evaluate_objective(graph, *machine, *mapping, Objective::hop_bytes), 48U * 10 * 2);
}

TEST(TreeMultisection, BlocksAreRefinedByMovesToFreeSlots) {
  // Ranks 0 to 4 and 5 to 10; rank 5 is with the others, and nobody would change places with it.
  TrafficMatrixBuilder builder(11);
  for (std::uint32_t i = 0; i < 11; ++i) {
    for (std::uint32_t j = 0; j < i; ++j) {
      if ((i < 5) == (j < 5)) builder.add(Rank(i), Rank(j), 10);
    }
  }
  const auto graph = TrafficGraph::from(builder.build());
  const auto machine = parse_machine("tree:2x8;slots=0-5,9-15");
  const MapOptions options;
  Mapping start;
  for (const std::uint32_t slot : {0, 1, 2, 3, 4, 5, 9, 11, 12, 14, 15}) {
    start.slot_of.emplace_back(slot);
  }
  const Mapping refined =
      refine_blocks({graph, *machine, options}, *machine->as_tree(), start, {}, nullptr);
  check_mapping(refined, *machine, 1);
  EXPECT_EQ(evaluate_objective(graph, *machine, refined, Objective::hop_bytes),
            2 * total_weight(graph));
}

TEST(TreeMultisection, GivesNothingWhenTheBudgetIsUsedUp) {
  std::mt19937_64 random(15);
  const auto graph = TrafficGraph::from(testing::random_matrix(random, 256, 0.03, 100));
  const auto machine = parse_machine("tree:4x4x16");
  MapOptions options;
  const MapProblem problem{graph, *machine, options};
  options.work = 500;
  Budget little(options);
  EXPECT_FALSE(multisect_tree(problem, *machine->as_tree(), {}, 1, &little));
  EXPECT_EQ(little.stopped(), Stopped::work);
  options.work = 100'000'000;
  Budget enough(options);
  EXPECT_TRUE(multisect_tree(problem, *machine->as_tree(), {}, 1, &enough));
  EXPECT_GT(enough.spent(), 1000U);
  options.work = 0;
  Budget nothing(options);
  Mapping start = identity_mapping(256, *machine, 1);
  EXPECT_EQ(refine_blocks(problem, *machine->as_tree(), start, {}, &nothing).slot_of,
            start.slot_of);
}

TEST(BlockRefine, CountsWeightsNearTheLimit) {
  // Ranks i and i + 4 start on different nodes; all costs together nearly fill 64 bits.
  TrafficMatrixBuilder builder(8);
  const Weight heavy = Weight{1} << 52;
  for (std::uint32_t i = 0; i < 4; ++i) builder.add(Rank(i), Rank(i + 4), heavy);
  const auto graph = TrafficGraph::from(builder.build());
  const auto machine = parse_machine("tree:2x4@1000,1");
  MapOptions options;
  options.objective = Objective::sum_com;
  const MapProblem problem{graph, *machine, options};
  const Mapping start = identity_mapping(8, *machine, 1);
  ASSERT_EQ(evaluate_objective(graph, *machine, start, options.objective), 4000 * heavy);
  const Mapping refined = refine_blocks(problem, *machine->as_tree(), start, {}, nullptr);
  EXPECT_EQ(evaluate_objective(graph, *machine, refined, options.objective), 4 * heavy);
}

}  // namespace
}  // namespace kith::multilevel
