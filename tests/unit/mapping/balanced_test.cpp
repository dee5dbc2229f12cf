#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/mapping/slots_of.hpp"
#include "unit/objective/random_problem.hpp"

namespace kith {
namespace {

using ::testing::ElementsAre;
using testing::slots_of;

TEST(Balanced, SpreadsEvenlyAndKeepsNeighboursTogether) {
  EXPECT_THAT(slots_of("balanced", 4, "tree:2x4"), ElementsAre(0, 1, 4, 5));
  EXPECT_THAT(slots_of("balanced", 4, "tree:2x2x2"), ElementsAre(0, 2, 4, 6));
  EXPECT_THAT(slots_of("balanced", 5, "tree:2x4"), ElementsAre(0, 1, 2, 4, 5));
  EXPECT_THAT(slots_of("balanced", 6, "tree:2x2", 2), ElementsAre(0, 0, 1, 2, 2, 3));
  // In proportion: two of three ranks on the node with four of six slots.
  EXPECT_THAT(slots_of("balanced", 3, "tree:2x4;slots=0-3,4-5"), ElementsAre(0, 1, 4));
}

TEST(Policies, FillAnyMachineEvenly) {
  std::mt19937_64 random(31);
  for (int round = 0; round < 200; ++round) {
    const auto tree = testing::random_unequal_tree(random);
    const auto ranks = static_cast<std::uint32_t>(1 + random() % (3 * tree->slots()));
    const auto capacity = (ranks + tree->slots() - 1) / tree->slots();
    for (const char* algorithm : {"scatter", "compact", "balanced"}) {
      std::vector<std::uint32_t> count(tree->slots());
      for (const std::uint32_t slot : slots_of(algorithm, ranks, *tree, capacity)) ++count[slot];
      ASSERT_GE(std::ranges::min(count), ranks / tree->slots()) << algorithm;
      ASSERT_LE(std::ranges::max(count), capacity) << algorithm;
    }
  }
}

}  // namespace
}  // namespace kith
