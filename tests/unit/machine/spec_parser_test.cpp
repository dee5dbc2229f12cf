#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kith/detail/tree_machine.hpp"
#include "unit/machine/refusal.hpp"

namespace kith {
namespace {

using testing::HasSubstr;

TEST(SpecParser, ReadsTrees) {
  const auto machine = parse_machine("tree:64x2x8");
  EXPECT_EQ(machine->kind(), "tree");
  EXPECT_EQ(machine->spec(), "tree:64x2x8");
  EXPECT_EQ(machine->slots(), 1024U);
  EXPECT_EQ(machine->pus(), 1024U);
  EXPECT_EQ(machine->nodes(), 64U);
  EXPECT_EQ(machine->hops(Slot(0), Slot(1023)), 6U);
  EXPECT_FALSE(machine->has_costs());
}

TEST(SpecParser, KeepsTheNumbersOfTheRestWhenSlotsAreGiven) {
  const auto machine = parse_machine("tree:4x2;slots=0-1,6-7");
  EXPECT_EQ(machine->spec(), "tree:4x2");
  EXPECT_EQ(machine->slots(), 8U);
  EXPECT_EQ(machine->allowed(), SlotSet::parse("0,1,6,7", "x"));
  EXPECT_THAT(refusal("tree:4x2;slots=0-8"), HasSubstr("expected slots below 8, found 8"));
  EXPECT_THAT(refusal("tree:4x2;slots="), HasSubstr("topology: expected slots such as"));
  EXPECT_THAT(refusal("tree:4x2;slots=no/such/file"), HasSubstr("no/such/file"));
}

TEST(SpecParser, ListsWhatItKnows) {
  const std::string found = refusal("klein-bottle:4");
  EXPECT_THAT(found, testing::StartsWith("topology: expected one of tree:64x2x8, "));
  EXPECT_THAT(found, testing::EndsWith(", this, job, found \"klein-bottle:4\""));
  EXPECT_THAT(refusal(""), HasSubstr("expected one of"));
  EXPECT_THAT(refusal("this "), HasSubstr("expected one of"));
  EXPECT_THAT(refusal("tree:2x2;cores=1"), HasSubstr("topology: expected"));
}

TEST(SpecParser, SaysThatAJobIsMissing) {
  EXPECT_THAT(refusal("job"), HasSubstr("trace directory"));
}

}  // namespace
}  // namespace kith
