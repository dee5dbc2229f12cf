#include "mapping/published/scotch/scotch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kith {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

ScotchTarget target_of(const char* spec, std::uint32_t ranks,
                       Objective objective = Objective::sum_com) {
  const auto machine = parse_machine(spec);
  return scotch_target(TreeDistance(*machine->as_tree(), objective), ranks);
}

TEST(ScotchTarget, LinksAddUpToTheDistances) {
  const auto target = target_of("tree:4x2x8@100,10,1", 64);
  EXPECT_THAT(target.arities, ElementsAre(4, 2, 8));
  EXPECT_THAT(target.links, ElementsAre(90, 9, 1));
  EXPECT_THAT(target.leaves, IsEmpty());
  EXPECT_THAT(target.slot_of, SizeIs(64));
  EXPECT_THAT(target_of("tree:4x2x8@100,10,1", 64, Objective::hop_bytes).links,
              ElementsAre(1, 1, 1));
}

TEST(ScotchTarget, LeavesOutPrivateLevels) {
  const auto target = target_of("tree:4x1x8@100,10,1", 32);
  EXPECT_THAT(target.arities, ElementsAre(4, 8));
  EXPECT_THAT(target.links, ElementsAre(99, 1));
  EXPECT_THAT(target_of("tree:1x1", 1).arities, IsEmpty());
}

TEST(ScotchTarget, DistancesThatDoNotFallAreMadeTo) {
  EXPECT_THAT(target_of("tree:2x2@1,4", 4).links, ElementsAre(0, 1));
  EXPECT_THAT(target_of("tree:2x2@0,0", 4).links, ElementsAre(0, 0));
}

TEST(ScotchTarget, EnclosesUnequalTrees) {
  const auto target = target_of("tree:3x4;slots=0-2,4,8-9", 6);
  EXPECT_THAT(target.arities, ElementsAre(3, 3));
  EXPECT_THAT(target.leaves, ElementsAre(0, 1, 2, 3, 6, 7));
  EXPECT_THAT(target.slot_of, ElementsAre(Slot(0), Slot(1), Slot(2), Slot(4), Slot(8), Slot(9)));
}

TEST(ScotchTarget, TakesWholeObjectsFromTheLeftForFewRanks) {
  EXPECT_THAT(target_of("tree:100x8", 12).slot_of, SizeIs(16));
  EXPECT_THAT(target_of("tree:100x8", 399).slot_of, SizeIs(400));
  EXPECT_THAT(target_of("tree:100x8", 400).slot_of, SizeIs(800));
}

}  // namespace
}  // namespace kith
