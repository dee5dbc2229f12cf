#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/mapping/slots_of.hpp"
#include "unit/objective/random_problem.hpp"

namespace kith {
namespace {

using ::testing::ElementsAre;
using testing::slots_of;

TEST(Compact, FillsOneNodeBeforeTheNext) {
  EXPECT_THAT(slots_of("compact", 3, "tree:2x2"), ElementsAre(0, 1, 2));
  EXPECT_THAT(slots_of("compact", 5, "tree:2x2", 3), ElementsAre(0, 0, 1, 2, 3));
}

TEST(Compact, GoesByPlacesAndNotByNumbers) {
  // Slots dealt to two hosts in turn: 0, 2 are on the first.
  TreeDescription description;
  description.children = {{2}, {2, 2}};
  description.names = {"network", "host"};
  description.slot_of_leaf = {Slot(0), Slot(2), Slot(1), Slot(3)};
  description.kind = description.spec = "job";
  description.nodes = 2;
  const auto tree = TreeMachine::from(description);
  EXPECT_THAT(slots_of("compact", 4, *tree), ElementsAre(0, 2, 1, 3));
  EXPECT_THAT(slots_of("scatter", 4, *tree), ElementsAre(0, 1, 2, 3));
  const testing::PlainMachine plain(*tree);
  EXPECT_THAT(slots_of("compact", 4, plain), ElementsAre(0, 2, 1, 3));
}

}  // namespace
}  // namespace kith
