#include "report/heat_level.hpp"

#include <gmock/gmock.h>

#include "kith/detail/tree_machine.hpp"
#include "report_samples.hpp"

namespace kith {
namespace {

using testing::ElementsAre;

TEST(RankAxis, RanksStandWhereTheySit) {
  const auto machine = parse_machine("tree:2x2");
  const RankAxis axis = axis_by_place({{Slot(3), Slot(0), Slot(2), Slot(1)}}, *machine);
  EXPECT_THAT(axis.rank_at, ElementsAre(Rank(1), Rank(3), Rank(2), Rank(0)));
  EXPECT_THAT(axis.position_of, ElementsAre(3, 0, 2, 1));
  EXPECT_FALSE(axis.is_identity());
}

TEST(RankAxis, RanksOfOneSlotByNumber) {
  const auto machine = parse_machine("tree:2");
  const RankAxis axis = axis_by_place({{Slot(1), Slot(0), Slot(1), Slot(0)}}, *machine);
  EXPECT_THAT(axis.rank_at, ElementsAre(Rank(1), Rank(3), Rank(0), Rank(2)));
}

TEST(RankAxis, SlotsDealtRoundRobinStandByHost) {
  TreeDescription description;
  description.children = {{2}, {2, 2}};
  description.names = {"network", "host"};
  description.slot_of_leaf = {Slot(0), Slot(2), Slot(1), Slot(3)};
  description.kind = "job";
  description.nodes = 2;
  const auto machine = TreeMachine::from(std::move(description));
  const RankAxis axis = axis_by_place({{Slot(0), Slot(1), Slot(2), Slot(3)}}, *machine);
  EXPECT_THAT(axis.rank_at, ElementsAre(Rank(0), Rank(2), Rank(1), Rank(3)));
}

TEST(RankAxis, ByRankIsTheIdentity) {
  EXPECT_TRUE(axis_by_rank(5).is_identity());
  EXPECT_EQ(axis_by_rank(5).ranks(), 5U);
  EXPECT_TRUE(axis_by_rank(0).is_identity());
}

}  // namespace
}  // namespace kith
