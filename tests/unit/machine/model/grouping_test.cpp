#include "machine/hwloc/hwloc_topology.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kith {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Grouping, DropsLevelsThatDistinguishNothing) {
  const auto tree = tree_from_groupings({{"host", {9, 9, 9, 9, 9, 9}},
                                         {"package", {1, 1, 1, 2, 2, 2}},
                                         {"l3", {5, 5, 5, 4, 4, 4}},  // repeats package
                                         {"l2", {0, 0, 1, 2, 3, 3}},
                                         {"core", {0, 1, 2, 3, 4, 5}}},  // each slot alone
                                        6);
  EXPECT_THAT(tree.names, ElementsAre("host", "package", "l2"));
  EXPECT_THAT(tree.children,
              ElementsAre(ElementsAre(2), ElementsAre(2, 2), ElementsAre(2, 1, 1, 2)));
  EXPECT_THAT(tree.slot_of_leaf, IsEmpty());
}

TEST(Grouping, OrdersObjectsByTheirLowestSlot) {
  // Slots dealt out to two hosts in turn.
  const auto tree =
      tree_from_groupings({{"network", {0, 0, 0, 0, 0}}, {"host", {7, 3, 7, 3, 7}}}, 5);
  EXPECT_THAT(tree.children, ElementsAre(ElementsAre(2), ElementsAre(3, 2)));
  EXPECT_THAT(tree.slot_of_leaf, ElementsAre(Slot(0), Slot(2), Slot(4), Slot(1), Slot(3)));
  const auto machine = TreeMachine::from(tree);
  EXPECT_EQ(machine->hops(Slot(0), Slot(4)), 2U);
  EXPECT_EQ(machine->hops(Slot(0), Slot(1)), 4U);
}

TEST(Grouping, KeepsTheRootWhateverItHolds) {
  const auto one = tree_from_groupings({{"host", {0}}, {"core", {0}}}, 1);
  EXPECT_THAT(one.names, ElementsAre("host"));
  EXPECT_THAT(one.children, ElementsAre(ElementsAre(1)));
  const auto flat = tree_from_groupings({{"network", {0, 0}}, {"host", {1, 2}}}, 2);
  EXPECT_THAT(flat.names, ElementsAre("network"));
  EXPECT_THAT(flat.children, ElementsAre(ElementsAre(2)));
}

}  // namespace
}  // namespace kith
