#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kith/error.hpp"
#include "kith/tree_machine.hpp"

namespace kith {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::uint64_t> costs(const char* spec) {
  const auto machine = parse_machine(spec);
  std::vector<std::uint64_t> out{machine->cost_scale()};
  for (const Level& level : machine->as_tree()->levels()) out.push_back(level.cost);
  return out;
}

std::string refusal(const std::string& spec) {
  try {
    parse_machine(spec);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.what();
  }
  return "accepted";
}

TEST(TreeSource, ScalesDecimalCostsExactly) {
  EXPECT_THAT(costs("tree:64x2x8@100,10,1"), ElementsAre(1, 100, 10, 1));
  EXPECT_THAT(costs("tree:4x2@2.50,0.3"), ElementsAre(10, 25, 3));
  EXPECT_THAT(costs("tree:4x2@.125,7"), ElementsAre(1000, 125, 7000));
  EXPECT_THAT(costs("tree:4x2@1.000,2."), ElementsAre(1, 1, 2));
  // 0.1 has no exact double; it must not come near one.
  EXPECT_THAT(costs("tree:4x2@0.1,0.0000000001"), ElementsAre(10000000000, 1000000000, 1));
  EXPECT_THAT(costs("tree:4x2@3,0"), ElementsAre(1, 3, 0));
  EXPECT_TRUE(parse_machine("tree:4@2")->has_costs());
}

TEST(TreeSource, RefusesWhatIsNoTree) {
  for (const char* spec :
       {"tree:", "tree:x", "tree:4x", "tree:x4", "tree:4xx2", "tree:0", "tree:4x0", "tree:-4",
        "tree:4.5", "tree:4 x2", "tree:4X2", "tree:99999999999"}) {
    EXPECT_THAT(refusal(spec), HasSubstr("--topology: expected positive arities")) << spec;
  }
  EXPECT_THAT(refusal("tree:65536x65536"), HasSubstr("at most 4294967295 slots"));
  EXPECT_THAT(refusal("tree:4294967295x4294967295x4294967295"), HasSubstr("at most"));
  std::string deep = "tree:1";
  for (int i = 0; i < 70; ++i) deep += "x1";
  EXPECT_THAT(refusal(deep), HasSubstr("1 to 64 levels"));
}

TEST(TreeSource, RefusesBadCosts) {
  EXPECT_THAT(refusal("tree:4x2@1"), HasSubstr("expected 2 costs, one per level, found 1"));
  EXPECT_THAT(refusal("tree:4x2@1,2,3"), HasSubstr("found 3"));
  for (const char* spec : {"tree:4@", "tree:4@-1", "tree:4@1e3", "tree:4@.", "tree:4@x",
                           "tree:4@1.2.3", "tree:4@nan", "tree:4@ 1"}) {
    EXPECT_THAT(refusal(spec), HasSubstr("expected decimal costs")) << spec;
  }
  EXPECT_THAT(refusal("tree:4@99999999999999999999"), HasSubstr("19 digits"));
  EXPECT_THAT(refusal("tree:4@0.00000000000000000001"), HasSubstr("19 digits"));
  EXPECT_THAT(refusal("tree:4x2@1000000000000,0.000000000001"), HasSubstr("19 digits"));
}

TEST(TreeSource, PrivateLevelsCountAsHops) {
  const auto machine = parse_machine("tree:4x1x2");
  EXPECT_EQ(machine->hops(Slot(0), Slot(2)), 6U);
}

}  // namespace
}  // namespace kith
