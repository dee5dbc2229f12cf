#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kith/error.hpp"
#include "kith/mapper.hpp"

namespace kith {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::uint32_t> identity(std::uint32_t ranks, const char* spec, std::uint32_t capacity) {
  std::vector<std::uint32_t> out;
  for (const Slot slot : identity_mapping(ranks, *parse_machine(spec), capacity).slot_of) {
    out.push_back(slot.value);
  }
  return out;
}

TEST(Identity, TakesTheAllowedSlotsInOrder) {
  EXPECT_THAT(identity(3, "tree:2x2", 1), ElementsAre(0, 1, 2));
  EXPECT_THAT(identity(3, "tree:8;slots=1,4-7", 1), ElementsAre(1, 4, 5));
  EXPECT_THAT(identity(0, "tree:2", 1), ElementsAre());
}

TEST(Identity, SpreadsSurplusRanksEvenlyInBlocks) {
  EXPECT_THAT(identity(7, "tree:3", 3), ElementsAre(0, 0, 0, 1, 1, 2, 2));
  EXPECT_THAT(identity(6, "tree:4;slots=1,3", 4), ElementsAre(1, 1, 1, 3, 3, 3));
  EXPECT_THAT(identity(2, "tree:4", 8), ElementsAre(0, 1));
}

TEST(Identity, NamesOversubscribeWhenRanksDoNotFit) {
  try {
    identity(9, "tree:2x2", 2);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_THAT(error.what(), HasSubstr("oversubscribing spreads"));
    EXPECT_THAT(error.what(), HasSubstr("9 ranks"));
    EXPECT_THAT(error.what(), HasSubstr("4 slots"));
  }
}

}  // namespace
}  // namespace kith
