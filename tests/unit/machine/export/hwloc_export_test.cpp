// Machines as hwloc XML, read back.
#include <gmock/gmock.h>

#include "kith/detail/export.hpp"
#include "kith/detail/tree_machine.hpp"
#include "unit/test_files.hpp"

namespace kith {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::unique_ptr<Machine> again(const Machine& machine) {
  const TempDirectory folder;
  return parse_machine("hwloc:" + folder.write("m.xml", hwloc_xml(machine)).string());
}

std::vector<std::string> level_names(const Machine& machine) {
  std::vector<std::string> names;
  for (const Level& level : machine.as_tree()->levels()) {
    names.push_back(level.name + " " + std::to_string(level.objects));
  }
  return names;
}

/// Slots are the allowed ones of `machine`, from 0.
void expect_same(const Machine& machine, const Machine& found) {
  SCOPED_TRACE(machine.spec());
  const SlotSet& slots = machine.allowed();
  ASSERT_EQ(found.slots(), slots.size());
  EXPECT_EQ(found.cost_scale(), machine.cost_scale());
  for (std::uint32_t i = 0; i < found.slots(); ++i) {
    for (std::uint32_t j = 0; j < found.slots(); ++j) {
      ASSERT_EQ(found.hops(Slot(i), Slot(j)), machine.hops(slots.at(i), slots.at(j)));
      ASSERT_EQ(found.cost(Slot(i), Slot(j)), machine.cost(slots.at(i), slots.at(j)));
    }
  }
}

TEST(HwlocExport, TreesReadBackAreTheSame) {
  for (const char* spec : {"tree:4x2x8", "tree:4x2x8@100,10,1", "tree:3x2x2@2.5,1,0.5",
                           "fattree:3,3,2", "tree:7", "tree:((3,2),(2,2,4))@9,4,1", "tree:(8,8,4)",
                           "tree:3x5;slots=0-6,10-11", "hwloc:package:2 l3:2 core:4 pu:2"}) {
    const auto machine = parse_machine(spec);
    const auto found = again(*machine);
    expect_same(*machine, *found);
    if (machine->allowed().size() == machine->slots()) {
      EXPECT_EQ(level_names(*found), level_names(*machine)) << spec;
      EXPECT_EQ(found->nodes(), machine->nodes()) << spec;
      EXPECT_EQ(found->pus(), machine->pus()) << spec;
    }
  }
}

TEST(HwlocExport, LevelsThatTellNoSlotsApartAreLeftOut) {
  const auto found = again(*parse_machine("tree:4x1x8@100,10,1"));
  EXPECT_THAT(level_names(*found), ElementsAre("level0 1", "level1 4"));
  EXPECT_EQ(found->cost(Slot(0), Slot(31)), 100U);
  EXPECT_EQ(found->cost(Slot(0), Slot(7)), 1U);
}

TEST(HwlocExport, NodesKeepTheirNames) {
  TreeDescription description;
  description.children = {{2}, {1, 3}};
  description.names = {"network", "host"};
  description.kind = "tree";
  description.nodes = 2;
  description.node_names = {"alpha", "beta"};
  const auto found = again(*TreeMachine::from(std::move(description)));
  EXPECT_EQ(found->nodes(), 2U);
  EXPECT_THAT(found->node_names(), ElementsAre("alpha", "beta"));
  EXPECT_EQ(found->node_of(Slot(0)), 0U);
  EXPECT_EQ(found->node_of(Slot(1)), 1U);
}

TEST(HwlocExport, NotesThatDoNotFitAreIgnored) {
  std::string xml = hwloc_xml(*parse_machine("tree:4x2@100,10"));
  const auto replace = [&](const std::string& from, const std::string& to) {
    const auto at = xml.find(from);
    ASSERT_NE(at, std::string::npos) << from << xml;
    xml.replace(at, from.size(), to);
  };
  replace("\"100 10\"", "\"100 10 1\"");
  replace("name=\"KithNodes\" value=\"4\"", "name=\"KithNodes\" value=\"3\"");
  const TempDirectory folder;
  const auto found = parse_machine("hwloc:" + folder.write("m.xml", xml).string());
  EXPECT_FALSE(found->has_costs());
  EXPECT_EQ(found->nodes(), 1U);
  EXPECT_EQ(found->slots(), 8U);
}

TEST(HwlocExport, OtherMachinesAreRefused) {
  for (const auto& [spec, found] :
       {std::pair{"torus:4x4", "a torus"},
        {"dragonfly:9,4,2", "a dragonfly"},
        {"tree:64x2x64", "8192 slots"},
        {"tree:(4000,64*1)", "very unequal sizes"},
        {"scotch:ltleaf 2 2 2 2 1 4 0 2 1 3", "another order of slots"}}) {
    const auto machine = parse_machine(spec);
    expect_error([&] { hwloc_xml(*machine); },
                 {"format hwloc: expected a tree of at most 4096 slots", found, spec});
  }
}

}  // namespace
}  // namespace kith
