#include <gtest/gtest.h>

#include "kith/detail/network_machine.hpp"
#include "unit/test_files.hpp"

namespace kith {
namespace {

const DragonflyNetwork& network_of(const Machine& machine) {
  return dynamic_cast<const DragonflyNetwork&>(machine.as_network()->network());
}

TEST(DragonflySource, ReadsItsNumbers) {
  const auto machine = parse_machine("dragonfly:9,4,2/2x8");
  EXPECT_EQ(machine->kind(), "dragonfly");
  EXPECT_EQ(machine->nodes(), 72U);
  EXPECT_EQ(machine->slots(), 1152U);
  EXPECT_TRUE(machine->dims().empty());
  const DragonflyNetwork& network = network_of(*machine);
  EXPECT_EQ(network.groups(), 9U);
  EXPECT_EQ(network.routers(), 4U);
  EXPECT_EQ(network.nodes_per_router(), 2U);
  EXPECT_EQ(network.ports(), 2U);
  EXPECT_EQ(network.arrangement(), DragonflyNetwork::Arrangement::palmtree);
  EXPECT_EQ(network_of(*parse_machine("dragonfly:9,4,2,absolute")).arrangement(),
            DragonflyNetwork::Arrangement::absolute);
  EXPECT_EQ(network_of(*parse_machine("dragonfly:8,3,1")).ports(), 3U);
  EXPECT_EQ(network_of(*parse_machine("dragonfly:1,3,1")).ports(), 0U);
}

// One link joins any two groups, and is the same one from both ends.
TEST(DragonflySource, EachLinkHasTwoEnds) {
  for (const char* spec : {"dragonfly:9,4,2", "dragonfly:9,4,2,absolute", "dragonfly:2,1,1"}) {
    const auto machine = parse_machine(spec);
    const DragonflyNetwork& network = network_of(*machine);
    for (std::uint32_t group = 0; group < network.groups(); ++group) {
      for (std::uint32_t port = 0; port + 1 < network.groups(); ++port) {
        const std::uint32_t other = network.group_at(group, port);
        ASSERT_LT(other, network.groups());
        ASSERT_NE(other, group);
        EXPECT_EQ(network.port_to(group, other), port);
        EXPECT_EQ(network.group_at(other, network.port_to(other, group)), group);
      }
    }
  }
}

TEST(DragonflySource, RefusesWhatIsNoDragonfly) {
  for (const char* spec :
       {"dragonfly:", "dragonfly:9", "dragonfly:9,4", "dragonfly:9,4,", "dragonfly:9,4,0",
        "dragonfly:0,4,2", "dragonfly:9,4,2,", "dragonfly:9,4,2,helix",
        "dragonfly:9,4,2,absolute,2", "dragonfly:9x4x2", "dragonfly:9,4,99999999999"}) {
    expect_error([&] { parse_machine(spec); },
                 {"topology: expected groups, routers of a group", std::string("\"") + spec});
  }
  expect_error([] { parse_machine("dragonfly:9,4,2/0"); }, {"the tree in each node"});
  expect_error([] { parse_machine("dragonfly:65536,65536,1"); }, {"at most 4294967295 nodes"});
  expect_error([] { parse_machine("dragonfly:4294967295,4294967295,4294967295"); },
               {"at most 4294967295 nodes"});
  expect_error([] { parse_machine("dragonfly:65536,65535,1/2"); }, {"at most 4294967295 slots"});
}

}  // namespace
}  // namespace kith
