#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "machine/network/host_network.hpp"
#include "unit/test_files.hpp"

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

namespace kith {
namespace {

class NetworkFileTest : public testing::Test {
 protected:
  HostNetwork read(std::string_view content) const {
    return read_network_file(directory_.write("hosts.net", content));
  }
  TempDirectory directory_;
};

TEST_F(NetworkFileTest, ReadsMeasuredLevelsAndSwitches) {
  const HostNetwork net = read(
      "# probed\n"
      "level network cost=270000 latency=190 bandwidth=3.7 burst=30300\n"
      "level switch cost=85000 latency=120.5 bandwidth=11.9\n"
      "level host cost=900 latency=1.1 bandwidth=4000\n"
      "level package cost=300\n"
      "h0 slots=2 s0   # the first\n"
      "h1 s0\n"
      "h2\ts1\n");
  ASSERT_THAT(net.network.levels, SizeIs(2));
  EXPECT_EQ(net.network.levels[0].level, "network");
  EXPECT_EQ(net.network.levels[0].cost, 270000U);
  EXPECT_EQ(net.network.levels[1].latency_us, 120.5);
  EXPECT_EQ(net.network.levels[1].megabytes_per_s, 11.9);
  ASSERT_THAT(net.network.host_levels, SizeIs(2));
  EXPECT_EQ(net.network.host_levels[1].level, "package");
  EXPECT_THAT(net.network.source, testing::EndsWith("hosts.net"));
  ASSERT_THAT(net.hosts, SizeIs(3));
  EXPECT_EQ(net.hosts[0].slots, 2U);
  EXPECT_TRUE(net.hosts[0].slots_given);
  EXPECT_FALSE(net.hosts[1].slots_given);
  EXPECT_THAT(net.hosts[2].switches, ElementsAre("s1"));
}

TEST_F(NetworkFileTest, NamesSwitchesTopDownAndLevelsThatNobodyNamed) {
  const HostNetwork net = read("a leaf0 pod0\nb leaf1 pod0\nc leaf2 pod1\n");
  EXPECT_THAT(net.hosts[1].switches, ElementsAre("pod0", "leaf1"));
  ASSERT_THAT(net.network.levels, SizeIs(3));
  EXPECT_EQ(net.network.levels[0].level, "network");
  EXPECT_EQ(net.network.levels[1].level, "switch2");
  EXPECT_EQ(net.network.levels[2].level, "switch");
}

TEST_F(NetworkFileTest, PlainHostsHaveOneLevel) {
  const HostNetwork net = read("a\nb slots=3\n");
  EXPECT_THAT(net.network.levels, IsEmpty());
  EXPECT_THAT(net.hosts, SizeIs(2));
}

TEST_F(NetworkFileTest, ASwitchAboveAllIsTheNetwork) {
  const HostNetwork net = read(
      "level none cost=9\nlevel core cost=5\nlevel leaf cost=3\n"
      "a leaf0 core\nb leaf0 core\nc leaf1 core\n");
  EXPECT_THAT(net.hosts[2].switches, ElementsAre("leaf1"));
  ASSERT_THAT(net.network.levels, SizeIs(2));
  EXPECT_EQ(net.network.levels[0].level, "core");
  EXPECT_EQ(net.network.levels[1].cost, 3U);

  const HostNetwork single = read("level a cost=9\nlevel b cost=5\nh s\n");
  ASSERT_THAT(single.network.levels, SizeIs(1));
  EXPECT_EQ(single.network.levels[0].cost, 5U);
  EXPECT_THAT(single.hosts[0].switches, IsEmpty());
}

TEST_F(NetworkFileTest, WhatIsWrittenIsReadBack) {
  const std::string text =
      "level network cost=270000 latency=190 bandwidth=3.7 burst=30300\n"
      "level switch cost=85000 latency=0.1\n"
      "level host cost=900 bandwidth=4000.25 overhead=0.4 shared=12500 eager=4040\n"
      "h0 slots=2 s0\n"
      "h1 slots=1 s1\n"
      "h2 s1\n";
  EXPECT_EQ(network_file_text(read(text)), text);
}

TEST_F(NetworkFileTest, TakesListsOfHosts) {
  const TempDirectory folder;
  const auto read = [&](const char* text) {
    return read_network_file(folder.write("lists.net", text)).hosts;
  };
  const auto listed = read("n[08-10] leaf0 slots=4\nm1,m2 leaf1\n");
  const auto plain =
      read("n08 leaf0 slots=4\nn09 leaf0 slots=4\nn10 leaf0 slots=4\nm1 leaf1\nm2 leaf1\n");
  ASSERT_EQ(listed.size(), plain.size());
  for (std::size_t i = 0; i < plain.size(); ++i) {
    EXPECT_EQ(listed[i].name, plain[i].name);
    EXPECT_EQ(listed[i].switches, plain[i].switches);
    EXPECT_EQ(listed[i].slots, plain[i].slots);
  }
}

TEST_F(NetworkFileTest, SaysWhatIsWrongAndWhere) {
  const BrokenFile broken[] = {
      {"a0\na[0-1]\n", {"hosts.net:2", "each host once", "\"a0\", also in line 1"}},
      {"a[0-\n", {"hosts.net:1"}},
      {"", {"hosts.net: ", "a line for each host", "found none"}},
      {"# nothing\nlevel network cost=1\n", {"a line for each host", "found none"}},
      {"a s0\nb\n", {"hosts.net:2", "1 switches, as many as for the first host", "found 0"}},
      {"a s0\nb s0\na s1\n", {"hosts.net:3", "each host once", "\"a\", also in line 1"}},
      {"a s0 c0\nb s0 c1\n", {"hosts.net:2", "switch \"s0\" below \"c0\"", "found \"c1\""}},
      {"a s0 c0\nb c0 s0\n", {"hosts.net:2", "each switch in one layer", "\"c0\" in two"}},
      {"a s0 s0\n", {"hosts.net:1", "each switch in one layer"}},
      {"sw0 node[0-31]\n", {"hosts.net:1", "one switch a word behind the hosts", "\"node[0-31]\""}},
      {"a slots=0\n", {"hosts.net:1", "slots=N once, N from 1", "\"slots=0\""}},
      {"a slots=1 slots=2\n", {"hosts.net:1", "slots=N once"}},
      {"a slots=x\n", {"hosts.net:1", "slots=N"}},
      {"a slots=4294967295\nb slots=1\n", {"hosts.net:2", "slots in all", "more"}},
      {"a speed=3\n", {"hosts.net:1", "slots=N or switches", "\"speed=3\""}},
      {"a=b\n", {"hosts.net:1", "a host's name", "\"a=b\""}},
      {"level\n", {"hosts.net:1", "a level's name"}},
      {"level cost=3\n", {"hosts.net:1", "a level's name", "\"cost=3\""}},
      {"level n cost=x\n", {"hosts.net:1", "whole picoseconds", "\"cost=x\""}},
      {"level n cost=-1\n", {"hosts.net:1", "whole picoseconds"}},
      {"level n latency=-1\n", {"hosts.net:1", "a decimal number", "\"latency=-1\""}},
      {"level n latency=inf\n", {"hosts.net:1", "a decimal number"}},
      {"level n latency=0 bandwidth=0\n", {"hosts.net:1", "above 0 behind bandwidth="}},
      {"level n speed=1\n",
       {"hosts.net:1",
        "cost=, latency=, bandwidth=, burst=, overhead=, shared= or eager=", "\"speed=1\""}},
      {"level n cost=1\nlevel n cost=2\n", {"hosts.net:2", "each level once", "\"n\" again"}},
      {"level n cost=1\na s0\nb s1\n", {"hosts.net:1", "2 levels between hosts", "found 1"}},
      {"a\n\nlevel n cost=1\nlevel m cost=1\n", {"hosts.net:4", "1 levels between", "found 2"}},
      {std::string("a\0b\n", 4), {"hosts.net:1", "a NUL byte"}},
  };
  for (const BrokenFile& file : broken) {
    SCOPED_TRACE(file.content);
    expect_error([&] { read(file.content); }, file.message_parts);
  }
  expect_error([] { read_network_file("/nowhere/hosts.net"); }, {"/nowhere/hosts.net", "readable"});
}

}  // namespace
}  // namespace kith
