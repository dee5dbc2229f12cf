// Machines as SimGrid platforms, read back.
#include <gmock/gmock.h>

#include "kith/detail/export.hpp"
#include "kith/detail/network_machine.hpp"
#include "kith/detail/tree_machine.hpp"
#include "unit/test_files.hpp"

namespace kith {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::unique_ptr<Machine> again(const Machine& machine) {
  const TempDirectory folder;
  return parse_machine("simgrid:" + folder.write("p.xml", simgrid_xml(machine)).string());
}

void expect_same(const std::string& spec) {
  SCOPED_TRACE(spec);
  const auto machine = parse_machine(spec);
  const auto found = again(*machine);
  ASSERT_EQ(found->slots(), machine->slots());
  EXPECT_EQ(found->allowed(), machine->allowed());
  EXPECT_EQ(found->nodes(), machine->nodes());
  EXPECT_EQ(found->cost_scale(), machine->cost_scale());
  for (std::uint32_t a = 0; a < machine->slots(); ++a) {
    EXPECT_EQ(found->node_of(Slot(a)), machine->node_of(Slot(a)));
    for (std::uint32_t b = 0; b < machine->slots(); ++b) {
      ASSERT_EQ(found->hops(Slot(a), Slot(b)), machine->hops(Slot(a), Slot(b))) << a << " " << b;
      ASSERT_EQ(found->cost(Slot(a), Slot(b)), machine->cost(Slot(a), Slot(b))) << a << " " << b;
    }
  }
}

TEST(SimgridExport, TreesReadBackAreTheSame) {
  for (const char* spec :
       {"tree:4x2x8", "tree:4x1x2@100,10,1", "tree:3x2x2@2.5,1,0.5", "tree:7", "tree:(8,8,4)",
        "tree:((3,2),(2,2,4))@9,4,1", "tree:3x5;slots=0-6,10-11", "fattree:3,2", "fattree:3,2/2x2",
        "fattree:3,3,2", "hwloc:package:2 l3:2 core:4 pu:2"}) {
    expect_same(spec);
  }
}

TEST(SimgridExport, NetworksReadBackAreTheSame) {
  for (const char* spec : {"torus:2x3x4", "torus:3x4/2x2", "mesh:3x4", "mesh:2x3/2;slots=0-5",
                           "hypercube:3", "dragonfly:5,2,2", "dragonfly:4,3,1/2"}) {
    expect_same(spec);
  }
}

TEST(SimgridExport, LevelsAndHostsKeepTheirNames) {
  TreeDescription description;
  description.children = {{2}, {1, 3}};
  description.names = {"network", "host"};
  description.kind = "tree";
  description.nodes = 2;
  description.node_names = {"a&b", "c<\"d"};
  const auto found = again(*TreeMachine::from(std::move(description)));
  EXPECT_THAT(found->node_names(), ElementsAre("a&b", "c<\"d"));
  EXPECT_EQ(found->as_tree()->levels()[0].name, "network");
  EXPECT_EQ(found->as_tree()->levels()[1].name, "host");
}

TEST(SimgridExport, MachinesWithoutKnownLinksAreRefused) {
  const auto table = parse_machine("scotch:deco 0 2 3 0 1 2 1 1 3 5");
  expect_error([&] { simgrid_xml(*table); }, {"format simgrid: expected", "a matrix"});
  const auto large = parse_machine("mesh:512x512");
  expect_error([&] { simgrid_xml(*large); }, {"format simgrid: expected", "mesh:512x512"});
  const auto mixed = parse_machine("scotch:ltleaf 2 2 2 2 1 4 0 2 1 3");
  expect_error([&] { simgrid_xml(*mixed); }, {"another order"});
}

}  // namespace
}  // namespace kith
