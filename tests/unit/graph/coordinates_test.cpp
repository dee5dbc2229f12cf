#include "kith/detail/coordinates.hpp"

#include <gmock/gmock.h>

namespace kith {
namespace {

TEST(RankCoordinates, OfAGridRunFastestInTheLastDimension) {
  const std::uint32_t extents[] = {2, 3};
  const RankCoordinates grid = RankCoordinates::grid(extents, {true, false});
  EXPECT_EQ(grid.ranks(), 6U);
  EXPECT_THAT(grid.of(0), testing::ElementsAre(0, 0));
  EXPECT_THAT(grid.of(4), testing::ElementsAre(1, 1));
  EXPECT_THAT(grid.periods, testing::ElementsAre(2, 0));
  EXPECT_EQ(RankCoordinates::grid({}).ranks(), 0U);
}

}  // namespace
}  // namespace kith
