#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kith/detail/tree_machine.hpp"
#include "unit/test_files.hpp"

namespace kith {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> names(const Machine& machine) {
  std::vector<std::string> out;
  for (const Level& level : machine.as_tree()->levels()) out.push_back(level.name);
  return out;
}

class HostsSourceTest : public testing::Test {
 protected:
  /// "hosts:FILE" of a network file.
  std::string spec(std::string_view content) const {
    return "hosts:" + directory_.write("cluster.net", content).string();
  }
  std::string slurm(std::string_view content) const {
    return "slurm:" + directory_.write("topology.conf", content).string();
  }
  TempDirectory directory_;
};

TEST_F(HostsSourceTest, SlotsStandInTheOrderOfTheFile) {
  // Hosts dealt out to two switches in turn.
  const auto machine = parse_machine(spec("a slots=2 s0\nb slots=1 s1\nc slots=3 s0\n"));
  EXPECT_EQ(machine->kind(), "hosts");
  EXPECT_EQ(machine->slots(), 6U);
  EXPECT_EQ(machine->nodes(), 3U);
  EXPECT_THAT(names(*machine), ElementsAre("network", "switch", "host"));
  EXPECT_EQ(machine->hops(Slot(0), Slot(1)), 2U);
  EXPECT_EQ(machine->hops(Slot(1), Slot(2)), 6U);
  EXPECT_EQ(machine->hops(Slot(1), Slot(3)), 4U);
  EXPECT_EQ(machine->node_name(machine->node_of(Slot(2))), "b");
  EXPECT_EQ(machine->node_name(machine->node_of(Slot(5))), "c");
}

TEST_F(HostsSourceTest, EachNodeMayCarryATree) {
  const auto machine = parse_machine(
      spec("level network cost=90\nlevel host cost=8\nlevel package cost=2\na\nb slots=3\nc\n") +
      ";tree=2x4");
  EXPECT_EQ(machine->slots(), 19U);
  EXPECT_THAT(names(*machine), ElementsAre("network", "host", "package"));
  EXPECT_EQ(machine->cost(Slot(0), Slot(3)), 2U);
  EXPECT_EQ(machine->cost(Slot(3), Slot(4)), 8U);
  EXPECT_EQ(machine->cost(Slot(7), Slot(8)), 90U);
  EXPECT_EQ(machine->cost(Slot(8), Slot(10)), 8U);  // said to have three slots, nothing more
  EXPECT_EQ(machine->node_of(Slot(8)), machine->node_of(Slot(10)));
  const auto alike = parse_machine(spec("a slots=8\nb slots=8\n") + ";tree=2x4");
  EXPECT_EQ(alike->hops(Slot(0), Slot(1)), 2U);
  EXPECT_EQ(alike->hops(Slot(0), Slot(4)), 4U);
  expect_error([&] { parse_machine(spec("a slots=4\nb slots=4\n") + ";tree=2x4"); },
               {"behind \";tree=\" as many slots as hosts have", "8, and a slots=4"});
  const auto plain = parse_machine(spec("a s0\nb s0\nc s1\n") + ";tree=2x2x2");
  EXPECT_THAT(names(*plain), ElementsAre("network", "switch", "host", "level1", "level2"));
  EXPECT_EQ(plain->slots(), 24U);
  EXPECT_EQ(plain->hops(Slot(0), Slot(1)), 2U);
  EXPECT_EQ(plain->hops(Slot(0), Slot(2)), 4U);
  EXPECT_EQ(plain->hops(Slot(0), Slot(4)), 6U);
  EXPECT_EQ(plain->hops(Slot(0), Slot(8)), 8U);
}

TEST_F(HostsSourceTest, ReadsSlurmsNodes) {
  const auto machine =
      parse_machine(slurm("SwitchName=s0 Nodes=t[0-1]\nSwitchName=s1 Nodes=t[2-3]\nSwitchName=c "
                          "Switches=s[0-1]\n") +
                    ";tree=2");
  EXPECT_EQ(machine->kind(), "slurm");
  EXPECT_EQ(machine->slots(), 8U);
  EXPECT_EQ(machine->nodes(), 4U);
  EXPECT_THAT(names(*machine), ElementsAre("network", "switch", "host"));
  EXPECT_THAT(machine->node_names(), ElementsAre("t0", "t1", "t2", "t3"));
  expect_error([&] { parse_machine(slurm("t0 s0\n")); }, {"topology.conf:1", "SwitchName=s0"});
}

TEST_F(HostsSourceTest, KeepsTheSlotsOfSomeNodes) {
  const std::string hosts = spec("h0.net slots=2 s0\nh1.net slots=2 s0\nh2.net slots=4 s1\n");
  const auto allowed = [&](const std::string& suffixes) {
    return parse_machine(hosts + suffixes)->allowed();
  };
  EXPECT_EQ(allowed(";nodes=h[1-2]:1"), SlotSet::parse("2,4", "-"));
  EXPECT_EQ(allowed(";nodes=h2.net,h0"), SlotSet::parse("0-1,4-7", "-"));
  EXPECT_EQ(allowed(";slots=1-5;nodes=h2,h0:1"), SlotSet::parse("1,4-5", "-"));
  EXPECT_EQ(allowed(";nodes=h2,h0:1;slots=0-4"), SlotSet::parse("0,4", "-"));
  const std::string file = directory_.write("hostfile", "h0\nh0\nh2 slots=3\n").string();
  EXPECT_EQ(allowed(";nodes=" + file), SlotSet::parse("0-1,4-6", "-"));
  expect_error([&] { allowed(";nodes=h7"); },
               {"topology: ", "one of the machine's 3 nodes, such as h0.net", "\"h7\""});
  EXPECT_EQ(allowed(";nodes=h[0-2],h2"), SlotSet::all(8));
  expect_error([&] { allowed(";nodes=h[0-1],h2:100"); },
               {"topology: ", "at most the 4 slots of node \"h2\", found 100"});
  expect_error([&] { allowed(";slots=0-5;nodes=h2:3"); }, {"the 2 slots of node \"h2\""});
  EXPECT_EQ(parse_machine("tree:4x2;nodes=1,node3")->allowed(), SlotSet::parse("2-3,6-7", "-"));
  EXPECT_EQ(parse_machine("torus:2x2/3;nodes=3:2")->allowed(), SlotSet::parse("9-10", "-"));
  expect_error([&] { parse_machine("tree:4x2;nodes=4"); }, {"4 nodes, such as node0", "\"4\""});
}

TEST_F(HostsSourceTest, SaysWhichSuffixesThereAre) {
  const std::string hosts = spec("a\nb\n");
  expect_error([&] { parse_machine(hosts + ";colour=red"); },
               {"topology: ", ";slots=, ;nodes=, ;tree= and ;network=", "\";colour=\""});
  expect_error([&] { parse_machine("tree:2x2;tree=2"); }, {"behind hosts: or slurm:"});
  expect_error(
      [&] { parse_machine(hosts + ";network=x"); },
      {"\";network=\" behind job (hosts:FILE takes speeds in FILE itself)", "behind \"hosts:"});
  expect_error([&] { parse_machine(hosts + ";tree=2;tree=3"); }, {"\";tree=...\" once", "twice"});
  expect_error([&] { parse_machine(hosts + ";tree="); }, {"nothing behind ="});
  expect_error([&] { parse_machine(hosts + ";tree=2y3"); }, {"a tree in each node"});
  EXPECT_EQ(parse_machine(hosts + ";tree=2;slots=0")->spec(), hosts + ";tree=2");
}

TEST_F(HostsSourceTest, TakesNoMemoryForMoreThanItHolds) {
  expect_error([&] { parse_machine(spec("a slots=4294967295\n")); }, {"at most 16777216 slots"});
  expect_error([&] { parse_machine(spec("a\nb\n") + ";tree=4096x4096x4096x4096x4096x4096"); },
               {"at most 16777216 slots"});
  expect_error([&] { parse_machine(spec("a\n") + ";tree=1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1"); },
               {"at most 16 levels", "17 levels"});
}

TEST_F(HostsSourceTest, OneHostHasNoNetwork) {
  const auto machine = parse_machine(spec("level host cost=7\na slots=4\n"));
  EXPECT_THAT(names(*machine), ElementsAre("host"));
  EXPECT_EQ(machine->cost(Slot(0), Slot(3)), 7U);
  EXPECT_EQ(machine->nodes(), 1U);
  EXPECT_EQ(parse_machine(spec("a\n"))->slots(), 1U);
}

}  // namespace
}  // namespace kith
