#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kith/detail/tree_machine.hpp"
#include "unit/test_files.hpp"

namespace kith {
namespace {

using testing::ElementsAre;

std::vector<LinkWidth> widths(const char* spec) {
  const auto machine = parse_machine(spec);
  const TreeMachine& tree = *machine->as_tree();
  std::vector<LinkWidth> out;
  for (unsigned level = 1; level <= tree.depth(); ++level) out.push_back(tree.link_width(level));
  return out;
}

TEST(FatTreeSource, IsATreeOfItsOwnKind) {
  const auto machine = parse_machine("fattree:4,3/2x8");
  EXPECT_EQ(machine->kind(), "fattree");
  EXPECT_EQ(machine->spec(), "fattree:4,3/2x8");
  EXPECT_EQ(machine->nodes(), 64U);
  EXPECT_EQ(machine->slots(), 1024U);
  EXPECT_EQ(machine->node_of(Slot(17)), 1U);
  EXPECT_FALSE(machine->has_costs());
  EXPECT_EQ(machine->as_tree()->depth(), 5U);
  EXPECT_EQ(machine->restricted_to(SlotSet::all(3))->as_tree()->link_width(1), (LinkWidth{16, 1}));
}

TEST(FatTreeSource, CountsParallelLinks) {
  EXPECT_THAT(widths("fattree:4,3"),
              ElementsAre(LinkWidth{16, 1}, LinkWidth{4, 1}, LinkWidth{1, 1}));
  EXPECT_THAT(widths("fattree:4,3,2/5"),
              ElementsAre(LinkWidth{4, 1}, LinkWidth{2, 1}, LinkWidth{1, 1}, LinkWidth{1, 1}));
  EXPECT_THAT(widths("fattree:4,3,1.5"),
              ElementsAre(LinkWidth{64, 9}, LinkWidth{8, 3}, LinkWidth{1, 1}));
  EXPECT_THAT(widths("fattree:2,2,8"), ElementsAre(LinkWidth{1, 4}, LinkWidth{1, 1}));
}

TEST(FatTreeSource, RefusesWhatIsNoFatTree) {
  for (const char* spec :
       {"fattree:", "fattree:4", "fattree:4,", "fattree:,3", "fattree:1,3", "fattree:0,3",
        "fattree:4,0", "fattree:4,33", "fattree:4,3,", "fattree:4,3,0.5", "fattree:4,3,-1",
        "fattree:4,3,1e3", "fattree:4,3,2,2", "fattree:4x3", "fattree:99999999999,1"}) {
    expect_error([&] { parse_machine(spec); },
                 {"topology: expected an arity of at least 2", std::string("\"") + spec});
  }
  expect_error([] { parse_machine("fattree:4,3/"); }, {"the tree in each node"});
  expect_error([] { parse_machine("fattree:16,8/2"); }, {"topology: ", "4294967295 slots"});
  expect_error([] { parse_machine("fattree:4,5,1.123456789"); }, {"topology: ", "18 digits"});
}

}  // namespace
}  // namespace kith
