#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/mapping/slots_of.hpp"

namespace kith {
namespace {

using ::testing::ElementsAre;
using testing::slots_of;

TEST(Scatter, DealsToTheTopmostObjectsInTurn) {
  EXPECT_THAT(slots_of("scatter", 2, "tree:2x2"), ElementsAre(0, 2));
  EXPECT_THAT(slots_of("scatter", 4, "tree:2x2"), ElementsAre(0, 2, 1, 3));
  EXPECT_THAT(slots_of("scatter", 8, "tree:2x2x2"), ElementsAre(0, 4, 2, 6, 1, 5, 3, 7));
  EXPECT_THAT(slots_of("scatter", 6, "torus:2x2/2"), ElementsAre(0, 2, 4, 6, 1, 3));
  EXPECT_THAT(slots_of("scatter", 6, "tree:2x2", 2), ElementsAre(0, 2, 1, 3, 0, 2));
}

TEST(Scatter, PassesOverWhatIsFull) {
  EXPECT_THAT(slots_of("scatter", 6, "tree:3x4;slots=0-2,4,8-9"), ElementsAre(0, 4, 8, 1, 9, 2));
}

}  // namespace
}  // namespace kith
