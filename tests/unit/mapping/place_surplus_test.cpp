#include "mapping/constraints.hpp"

#include <gtest/gtest.h>

#include "unit/objective/random_problem.hpp"

namespace kith {
namespace {

TEST(PlaceSurplus, EmptiesOverfullSlots) {
  std::mt19937_64 random(71);
  for (int round = 0; round < 200; ++round) {
    const auto tree = testing::random_unequal_tree(random);
    MapOptions options;
    options.capacity = static_cast<std::uint32_t>(1 + random() % 3);
    const auto ranks =
        static_cast<std::uint32_t>(1 + random() % (options.capacity * tree->slots()));
    const auto graph = TrafficGraph::from(testing::random_matrix(random, ranks, 0.2, 50));
    Mapping crowded;
    for (std::uint32_t r = 0; r < ranks; ++r) {
      crowded.slot_of.emplace_back(static_cast<std::uint32_t>(random() % tree->slots()) / 2);
    }
    const MapProblem problem{graph, *tree, options};
    const Mapping placed = place_surplus(problem, crowded, tree->allowed().to_vector());
    ASSERT_NO_THROW(check_mapping(placed, *tree, options.capacity));
    ASSERT_EQ(place_surplus(problem, placed, tree->allowed().to_vector()), placed);
  }
}

TEST(PlaceSurplus, MovesTheRankThatLosesLeast) {
  // Ranks 0 and 1 share slot 0; rank 0 talks to rank 2 next door, rank 1 to rank 3 far away. The
  // free slots are 2 (near) and 6 (beside rank 3).
  TrafficMatrixBuilder builder(4);
  builder.add(Rank(0), Rank(2), 10);
  builder.add(Rank(1), Rank(3), 10);
  const auto graph = TrafficGraph::from(builder.build());
  const auto tree = parse_machine("tree:2x4;slots=0-2,6-7");
  const MapOptions options;
  const Mapping placed = place_surplus(
      {graph, *tree, options}, {{Slot(0), Slot(0), Slot(1), Slot(7)}}, tree->allowed().to_vector());
  EXPECT_EQ(placed, (Mapping{{Slot(0), Slot(6), Slot(1), Slot(7)}}));
}

}  // namespace
}  // namespace kith
