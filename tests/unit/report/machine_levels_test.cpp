#include "report/heat_level.hpp"

#include <gmock/gmock.h>

namespace kith {
namespace {

std::vector<std::string> names_of(const MachineLevels& levels) {
  std::vector<std::string> names;
  for (const LevelFact& level : levels.levels()) names.push_back(level.name);
  return names;
}

TEST(MachineLevels, OfATree) {
  const auto machine = parse_machine("tree:2x3@10,1");
  const MachineLevels levels(*machine);
  EXPECT_EQ(levels.count(), 2U);
  EXPECT_EQ(levels.levels()[1].objects, 2U);
  EXPECT_EQ(levels.levels()[0].cost->value(), 10);
  EXPECT_EQ(levels.of(Slot(0), Slot(3)), 0U);
  EXPECT_EQ(levels.of(Slot(3), Slot(5)), 1U);
  EXPECT_EQ(levels.of(Slot(4), Slot(4)), 2U);
}

TEST(MachineLevels, OfATorusWithTreesInItsNodes) {
  const auto machine = parse_machine("torus:4x4/2x3");
  const MachineLevels levels(*machine);
  EXPECT_THAT(names_of(levels), testing::SizeIs(3));
  EXPECT_EQ(levels.levels()[0].name, "network");
  EXPECT_FALSE(levels.levels()[0].cost);
  EXPECT_EQ(levels.levels()[1].objects, 16U);
  EXPECT_EQ(levels.levels()[2].objects, 32U);
  EXPECT_EQ(levels.of(Slot(5), Slot(6)), 0U);    // nodes 0 and 1
  EXPECT_EQ(levels.of(Slot(6), Slot(9)), 1U);    // halves of node 1
  EXPECT_EQ(levels.of(Slot(9), Slot(11)), 2U);   // one half of it
  EXPECT_EQ(levels.of(Slot(11), Slot(11)), 3U);  // one slot
}

TEST(MachineLevels, OfANetworkOfSlots) {
  const auto machine = parse_machine("mesh:3x3");
  const MachineLevels levels(*machine);
  EXPECT_THAT(names_of(levels), testing::ElementsAre("network"));
  EXPECT_EQ(levels.of(Slot(0), Slot(8)), 0U);
  EXPECT_EQ(levels.of(Slot(8), Slot(8)), 1U);
}

}  // namespace
}  // namespace kith
