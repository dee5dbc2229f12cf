#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kith/detail/tree_machine.hpp"
#include "unit/machine/refusal.hpp"

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
    EXPECT_THAT(refusal(spec), HasSubstr("topology: expected positive arities")) << spec;
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

std::vector<std::uint32_t> children(const TreeMachine& tree, unsigned level) {
  std::vector<std::uint32_t> out;
  for (std::uint64_t i = 0; i < tree.objects(level); ++i) {
    out.push_back(
        static_cast<std::uint32_t>(tree.first_child(level, i + 1) - tree.first_child(level, i)));
  }
  return out;
}

TEST(TreeSource, ReadsUnequalChildren) {
  const auto flat = parse_machine("tree:(8,8,4)");
  EXPECT_EQ(flat->kind(), "tree");
  EXPECT_EQ(flat->slots(), 20U);
  EXPECT_EQ(flat->nodes(), 3U);
  EXPECT_EQ(flat->as_tree()->depth(), 2U);
  EXPECT_THAT(children(*flat->as_tree(), 1), ElementsAre(8, 8, 4));
  EXPECT_FALSE(flat->has_costs());

  const auto nested = parse_machine("tree:((8,8),2*(3*4,1))@100,10,.5");
  EXPECT_EQ(nested->slots(), 42U);
  EXPECT_EQ(nested->nodes(), 3U);
  EXPECT_THAT(children(*nested->as_tree(), 0), ElementsAre(3));
  EXPECT_THAT(children(*nested->as_tree(), 1), ElementsAre(2, 4, 4));
  EXPECT_THAT(children(*nested->as_tree(), 2), ElementsAre(8, 8, 4, 4, 4, 1, 4, 4, 4, 1));
  EXPECT_THAT(costs("tree:((8,8),2*(3*4,1))@100,10,.5"), ElementsAre(10, 1000, 100, 5));
}

TEST(TreeSource, EqualChildrenTakeNoMemory) {
  const auto machine = parse_machine("tree:(2*(65536*(1024)),2*(65536*(1024)))");
  EXPECT_EQ(machine->slots(), 4U * 65536 * 1024);
  EXPECT_TRUE(machine->as_tree()->is_symmetric());
  EXPECT_EQ(machine->nodes(), 4U);
  EXPECT_TRUE(parse_machine("tree:(16*8)")->as_tree()->is_symmetric());
  EXPECT_FALSE(parse_machine("tree:(16*8,7)")->as_tree()->is_symmetric());
}

TEST(TreeSource, RefusesWhatIsNoList) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"tree:()", "a positive number or ( at character 7"},
      {"tree:(", "found the end"},
      {"tree:(8", ", or ) at character 8"},
      {"tree:(8,", "character 9"},
      {"tree:(8,)", "found \")\""},
      {"tree:(8)8", "the end at character 9"},
      {"tree:(8))", "the end at character 9"},
      {"tree:(0)", "a positive number"},
      {"tree:(2*0)", "character 9"},
      {"tree:(0*2)", "character 7"},
      {"tree:(2*)", "a positive number or ("},
      {"tree:(2*3*4)", ", or )"},
      {"tree:(-1)", "a positive number"},
      {"tree:(4x2)", ", or )"},
      {"tree:(8, 8)", "found \" 8)\""},
      {"tree:(99999999999)", "a positive number"},
      {"tree:(8,(4,4))", "all slots at one depth, found 1 and 2 levels"},
      {"tree:((8,8),(4,(4)))", "all slots at one depth"},
      {"tree:(65536*65536)", "at most 4294967295 slots"},
      {"tree:(4294967295*(4294967295*4294967295))", "at most 4294967295 slots"},
      {"tree:(65536*1024,1)", "at most 16777216 objects and slots"},
      {"tree:(8,4)@1", "2 costs, one per level, found 1"},
      {"tree:(8,4)@", "decimal costs"},
  };
  for (const auto& [spec, message] : cases) {
    EXPECT_THAT(refusal(spec), HasSubstr("topology: expected")) << spec;
    EXPECT_THAT(refusal(spec), HasSubstr(message)) << spec;
  }
  EXPECT_THAT(refusal("tree:" + std::string(1'000'000, '(')), HasSubstr("1 to 64 levels"));
  // One object of each level has 64 children: 12 fields of 6 bits, though slots are few.
  std::string lopsided = "1";
  std::string chain = "1";
  for (int i = 0; i < 12; ++i) {
    lopsided = "(" + lopsided + ",63*" + chain + ")";
    chain = "(" + chain + ")";
  }
  EXPECT_THAT(refusal("tree:" + lopsided), HasSubstr("multiply to at most 2^64"));
}

TEST(TreeSource, ReadsAsDeepAsTreesCanBe) {
  std::string text = "2,1";
  for (int i = 0; i < 62; ++i) text = "(" + text + ")";
  EXPECT_EQ(parse_machine("tree:(" + text + ")")->as_tree()->depth(), 64U);
  EXPECT_THAT(refusal("tree:((" + text + "))"), HasSubstr("1 to 64 levels"));
}

TEST(TreeSource, PrivateLevelsCountAsHops) {
  const auto machine = parse_machine("tree:4x1x2");
  EXPECT_EQ(machine->hops(Slot(0), Slot(2)), 6U);
}

}  // namespace
}  // namespace kith
