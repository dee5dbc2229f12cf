#include "machine/source/host_tree.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kith {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::uint64_t> costs(std::vector<std::uint64_t> measured) {
  std::vector<LevelCost> levels;
  for (const std::uint64_t cost : measured) levels.push_back({"level", cost});
  return level_costs(levels);
}

TEST(LevelCosts, AreWhatWasMeasured) {
  EXPECT_THAT(costs({0, 0}), IsEmpty());
  EXPECT_THAT(costs({9, 5, 1}), ElementsAre(9, 5, 1));
}

TEST(LevelCosts, ScaleTheNearestByHops) {
  EXPECT_THAT(costs({800, 0, 0, 0}), ElementsAre(800, 600, 400, 200));
  EXPECT_THAT(costs({0, 0, 30}), ElementsAre(90, 60, 30));
  EXPECT_THAT(costs({900, 0, 100}), ElementsAre(900, 600, 100));  // of two the upper
}

TEST(LevelCosts, StayBetweenWhatWasMeasured) {
  EXPECT_THAT(costs({900, 0, 800}), ElementsAre(900, 800, 800));
  EXPECT_THAT(costs({50, 0, 0, 40}), ElementsAre(50, 40, 40, 40));
  EXPECT_THAT(costs({1, 0, 0}), ElementsAre(1, 1, 1));
  EXPECT_THAT(costs({0, UINT64_MAX / 2}), ElementsAre(UINT64_MAX / 2, UINT64_MAX / 2));
}

}  // namespace
}  // namespace kith
