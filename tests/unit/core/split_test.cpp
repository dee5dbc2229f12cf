#include "core/parse_number.hpp"

#include <gmock/gmock.h>

namespace kith {
namespace {

TEST(Split, KeepsEmptyPieces) {
  EXPECT_THAT(split("a,bc", ','), testing::ElementsAre("a", "bc"));
  EXPECT_THAT(split("", ','), testing::ElementsAre(""));
  EXPECT_THAT(split(",a,", ','), testing::ElementsAre("", "a", ""));
}

}  // namespace
}  // namespace kith
