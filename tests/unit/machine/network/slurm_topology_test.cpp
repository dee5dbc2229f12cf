#include "machine/network/slurm_topology.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <map>

#include "machine/network/node_list.hpp"
#include "unit/corpus.hpp"
#include "unit/test_files.hpp"

namespace kith {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using Names = std::vector<std::string>;

Names level_names(const HostNetwork& network) {
  Names names;
  for (const LevelCost& level : network.network.levels) names.push_back(level.level);
  return names;
}

Names switches_of(const HostNetwork& network, std::string_view name) {
  for (const auto& host : network.hosts) {
    if (host.name == name) return host.switches;
  }
  return {"no such host"};
}

HostNetwork corpus(std::string_view name) {
  return read_any_network(kith::corpus() / "slurm" / name);
}

class SlurmTopologyTest : public testing::Test {
 protected:
  HostNetwork conf(std::string_view content) const {
    LineReader in(directory_.write("topology.conf", content));
    return read_topology_conf(in);
  }
  HostNetwork yaml(std::string_view content) const {
    LineReader in(directory_.write("topology.yaml", content));
    return read_topology_yaml(in);
  }
  TempDirectory directory_;
};

TEST_F(SlurmTopologyTest, ATreeOfTwoLayersIsOneLayerBelowTheNetwork) {
  const HostNetwork network = corpus("two-switches.conf");
  EXPECT_THAT(level_names(network), ElementsAre("network", "switch"));
  EXPECT_THAT(network.hosts, SizeIs(8));
  EXPECT_THAT(switches_of(network, "tux3"), ElementsAre("leaf0"));
  EXPECT_THAT(switches_of(network, "tux4"), ElementsAre("leaf1"));
}

TEST_F(SlurmTopologyTest, HostsThatHangHigherAreFilledToOneDepth) {
  const HostNetwork network = corpus("three-layers.conf");
  EXPECT_THAT(level_names(network), ElementsAre("network", "switch2", "switch"));
  EXPECT_THAT(network.hosts, SizeIs(73));
  EXPECT_THAT(switches_of(network, "n018"), ElementsAre("island0", "rack0"));
  EXPECT_THAT(switches_of(network, "n041"), ElementsAre("island1", "rack2"));
  EXPECT_THAT(switches_of(network, "n072"), ElementsAre("island1", "rack3"));
  EXPECT_THAT(switches_of(network, "login1"), ElementsAre("login0", "login0"));
}

TEST_F(SlurmTopologyTest, BlocksAreJoinedAsTheirSizesSay) {
  const HostNetwork network = corpus("blocks.conf");
  EXPECT_THAT(level_names(network), ElementsAre("network", "block2", "block"));
  EXPECT_THAT(network.hosts, SizeIs(108));
  EXPECT_THAT(switches_of(network, "gpu001"), ElementsAre("rack1..rack4", "rack1"));
  EXPECT_THAT(switches_of(network, "gpu072"), ElementsAre("rack1..rack4", "rack4"));
  EXPECT_THAT(switches_of(network, "gpu108"), ElementsAre("rack5..rack6", "rack6"));

  const HostNetwork plain = conf("BlockName=a Nodes=x[0-1]\nBlockName=b Nodes=x[2-3]\n");
  EXPECT_THAT(level_names(plain), ElementsAre("network", "block"));
  EXPECT_THAT(switches_of(plain, "x2"), ElementsAre("b"));
}

TEST_F(SlurmTopologyTest, TheFirstParentCounts) {
  // Every leaf on two spines, and a node on two leaves.
  const HostNetwork network = conf(
      "SwitchName=a Nodes=x,y\nSwitchName=b Nodes=y,z\n"
      "SwitchName=s0 Switches=a,b\nSwitchName=s1 Switches=a,b\n");
  EXPECT_THAT(network.hosts, SizeIs(3));
  EXPECT_THAT(switches_of(network, "y"), ElementsAre("a"));
  EXPECT_THAT(switches_of(network, "z"), ElementsAre("b"));
}

#ifdef KITH_YAML
TEST_F(SlurmTopologyTest, YamlTakesTheClustersDefault) {
  const HostNetwork network = corpus("topologies.yaml");
  EXPECT_THAT(level_names(network), ElementsAre("network", "switch2", "switch"));
  EXPECT_THAT(network.hosts, SizeIs(28));
  EXPECT_THAT(switches_of(network, "cn05"), ElementsAre("mid0", "leaf1"));
  EXPECT_THAT(switches_of(network, "acc15"), ElementsAre("mid1", "leaf3"));

  const HostNetwork first = yaml(
      "- topology: one\n  block:\n    block_sizes: [1, 2]\n    blocks:\n"
      "    - {block: b0, nodes: \"a[0-1]\"}\n    - {block: b1, nodes: \"a[2-3]\"}\n"
      "    - {block: b2, nodes: \"a[4-5]\"}\n"
      "- topology: two\n  flat: true\n");
  EXPECT_THAT(switches_of(first, "a3"), ElementsAre("b0..b1", "b1"));

  const HostNetwork flat = yaml("- topology: two\n  flat: true\n");
  EXPECT_THAT(flat.hosts, IsEmpty());
  EXPECT_THAT(flat.network.levels, IsEmpty());
}

TEST_F(SlurmTopologyTest, SaysWhatIsWrongInYaml) {
  const BrokenFile broken[] = {
      {"", {"topology.yaml:1", "a list of topologies"}},
      {"a: b\n", {"topology.yaml:1", "a list of topologies"}},
      {"- name: x\n", {"topology.yaml:1", "topology: NAME"}},
      {"- topology: x\n", {"topology.yaml:1", "one of tree:, block: and flat: true"}},
      {"- topology: x\n  tree: 3\n", {"topology.yaml:2", "switches: a list"}},
      {"- topology: x\n  tree:\n    switches: {}\n", {"topology.yaml:", "switches: a list"}},
      {"- topology: x\n  tree:\n    switches:\n    - nodes: a\n", {":4", "switch: NAME"}},
      {"- topology: x\n  tree:\n    switches:\n    - {switch: s, nodes: [a, b]}\n",
       {":4", "nodes: names", "a list"}},
      {"- topology: x\n  tree:\n    switches:\n    - switch: s\n      children: t\n",
       {":4", "switches that the file describes", "\"t\""}},
      {"- topology: x\n  block:\n    block_sizes: [4, 2]\n    blocks: [{block: b, nodes: a}]\n",
       {":3", "ascending block sizes", "\"2\""}},
      {"- topology: x\n  block:\n    block_sizes: [16, 24]\n    blocks: [{block: b, nodes: a}]\n",
       {":3", "a power of two", "\"24\""}},
      {"- topology: x\n  tree: [\n", {"topology.yaml:", "YAML"}},
  };
  for (const BrokenFile& file : broken) {
    SCOPED_TRACE(file.content);
    expect_error([&] { yaml(file.content); }, file.message_parts);
  }
  expect_error([] { read_any_network("/nowhere/topology.yaml"); }, {"/nowhere/topology.yaml"});
}

TEST_F(SlurmTopologyTest, ReadsYamlFromAPipe) {
  const std::string text =
      "- topology: x\n  block:\n    blocks:\n    - {block: b, nodes: \"a[0-1]\"}\n";
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ASSERT_EQ(::write(ends[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  ::close(ends[1]);
  EXPECT_THAT(read_any_network("/dev/fd/" + std::to_string(ends[0])).hosts, SizeIs(2));
  ::close(ends[0]);
}

TEST_F(SlurmTopologyTest, BoundsYaml) {
  std::string text = "- topology: x\n  flat: true\n";
  while (text.size() <= std::size_t{1} << 26) text += "#" + std::string(1 << 20, ' ') + "\n";
  expect_error([&] { yaml(text); }, {"topology.yaml: ", "at most 64 MiB"});
}
#endif

TEST_F(SlurmTopologyTest, ReadsIncludedFiles) {
  directory_.write("leaves/a.conf", "Include more/b.conf\nSwitchName=a Nodes=x[0-1]\n");
  directory_.write("leaves/more/b.conf", "SwitchName=b Nodes=x[2-3]\n");
  const std::string main = "INCLUDE  leaves/a.conf # the leaves\nSwitchName=c Switches=a,b\n";
  const auto file = directory_.write("topology.conf", main);
  const HostNetwork network = read_any_network(file);
  EXPECT_EQ(network.network.source, file.string());
  EXPECT_THAT(switches_of(network, "x1"), ElementsAre("a"));
  EXPECT_THAT(switches_of(network, "x3"), ElementsAre("b"));
  const auto absolute = directory_.write("absolute", "SwitchName=z Nodes=z\n").string();
  EXPECT_THAT(conf("Include " + absolute).hosts, SizeIs(1));

  expect_error([&] { conf("Include nowhere.conf\n"); }, {"nowhere.conf", "readable"});
  expect_error([&] { conf("\nInclude topology.conf\n"); },
               {"topology.conf:2: ", "8 deep", "a circle"});
  directory_.write("bad.conf", "\nSwitchName=q Nodes=x[\n");
  expect_error([&] { conf("Include bad.conf\n"); }, {"bad.conf:2: ", "a hostlist"});
  directory_.write("bad.conf", "\nSwitchName=q Colour=red\n");
  expect_error([&] { conf("Include bad.conf\n"); }, {"bad.conf:2: ", "\"colour=red\""});
  directory_.write("one.conf", "SwitchName=q Nodes=x\n");
  std::string many;
  for (int i = 0; i < 1001; ++i) many += "Include one.conf\n";
  expect_error([&] { conf(many); }, {"topology.conf:1001: ", "at most 1000 included files"});
}

TEST_F(SlurmTopologyTest, SaysWhatIsWrongInConf) {
  const BrokenFile broken[] = {
      {"", {"topology.conf: ", "nodes", "none"}},
      {"SwitchName=a Nodes=x\nSwitchName=a Nodes=y\n", {":2", "each switch once", "\"a\" again"}},
      {"BlockName=a Nodes=x\nBlockName=a Nodes=y\n", {":2", "each block once", "\"a\" again"}},
      {"SwitchName=a Switches=b\n", {":1", "switches that the file describes", "\"b\""}},
      {"SwitchName=a Nodes=x[\n", {"topology.conf:1", "a hostlist", "\"x[\""}},
      {"SwitchName=a Switches=b Nodes=x\nSwitchName=b Switches=a Nodes=y\n", {":1", "a circle"}},
      {"SwitchName=a Switches=a Nodes=x\n", {":1", "a circle"}},
      {"\nSwitchName=a Speed=3\n", {":2", "SwitchName=, Switches=", "\"speed=3\""}},
      {"SwitchName\n", {":1", "words such as SwitchName=s0"}},
      {"SwitchName=a Nodes=\"x\n", {":1", "a second '\"'"}},
      {"Nodes=x\n", {":1", "one of SwitchName=NAME", "none"}},
      {"SwitchName= \n", {":1", "one of SwitchName=NAME"}},
      {"SwitchName=a BlockName=b Nodes=x\n", {":1", "one of", "several"}},
      {"SwitchName=a Nodes=x\nBlockName=b Nodes=y\n", {":2", "switches or blocks", "both"}},
      {"BlockName=b Nodes=y\nBlockSizes=4,4\n", {":2", "ascending block sizes", "\"4,4\""}},
      {"BlockName=b Nodes=y\n\nBlockSizes=16,24\n", {":3", "a power of two", "\"16,24\""}},
      {"BlockName=b Nodes=y\nBlockSizes=4,12\n", {":2", "a power of two", "\"4,12\""}},
      {"BlockSizes=x\n", {":1", "ascending block sizes", "\"x\""}},
      {"SwitchName=a \\\n Nodes=x \\\n Colour=red\n", {":1", "\"colour=red\""}},
      {"SwitchName=a Nodes=x[0-999999]\nSwitchName=b Nodes=y[0-999999]\n",
       {":2", "at most", "nodes"}},
      {std::string("SwitchName=a\0\n", 14), {":1", "a NUL byte"}},
  };
  for (const BrokenFile& file : broken) {
    SCOPED_TRACE(file.content);
    expect_error([&] { conf(file.content); }, file.message_parts);
  }
}

TEST_F(SlurmTopologyTest, CommentsContinuationsAndBlanks) {
  const HostNetwork network = conf(
      "# SwitchName=no Nodes=none\r\n"
      "SwitchName = a   Nodes = x[0-1] # a comment\r\n"
      "  SwitchName=b \\\n\n"
      "SwitchName=c Nodes=\\\n  y[0-1]");
  EXPECT_THAT(network.hosts, SizeIs(4));
  EXPECT_THAT(switches_of(network, "y1"), ElementsAre("c"));
}

TEST_F(SlurmTopologyTest, TellsFilesApartByTheirContent) {
  const std::map<std::string, NetworkFormat> cases = {
      {"# x\n\nswitchNAME=a Nodes=b\n", NetworkFormat::topology_conf},
      {"SwitchName = a\n", NetworkFormat::topology_conf},
      {"BlockSizes=3\n", NetworkFormat::topology_conf},
      {"include  leaves.conf\r\n", NetworkFormat::topology_conf},
      {"Include\n", NetworkFormat::network_file},
      {"BlockName=3\n", NetworkFormat::topology_conf},
      {"---\n- topology: a\n", NetworkFormat::topology_yaml},
      {"# x\r\n- topology: a\r\n", NetworkFormat::topology_yaml},
      {"", NetworkFormat::network_file},
      {"level network cost=3\n", NetworkFormat::network_file},
      {"switchname s0\n---\n", NetworkFormat::topology_conf},
      {"h0 s0\n", NetworkFormat::network_file},
  };
  for (const auto& [content, format] : cases) {
    LineReader in(directory_.write("file", content));
    EXPECT_EQ(network_format_of(in), format) << content;
  }
}

TEST(SlurmAddressTest, AddressesBecomeSwitches) {
  const std::string pattern = "switch.switch.switch.node";
  const HostNetwork network =
      network_of_addresses({"a", "b", "c.x", "d"}, {{"core.i0.l0.a", pattern},
                                                    {"core.i0.l1.b", pattern},
                                                    {"core.i1.l2.c.x", pattern},
                                                    {"core.i1.l2.d", pattern}});
  EXPECT_THAT(level_names(network), ElementsAre("network", "switch2", "switch"));
  EXPECT_THAT(switches_of(network, "c.x"), ElementsAre("i1", "l2"));
  EXPECT_THAT(switches_of(network, "a"), ElementsAre("i0", "l0"));
}

TEST(SlurmAddressTest, NothingIsKnownOfNodesAlone) {
  const HostNetwork network = network_of_addresses({"a", "b"}, {{"a", "node"}, {"b", "node"}});
  EXPECT_THAT(level_names(network), IsEmpty());
  EXPECT_THAT(level_names(network_of_addresses({"a"}, {{"", ""}})), IsEmpty());
}

TEST(SlurmAddressTest, AHostWithoutAddressHangsOnTheRoot) {
  const HostNetwork network = network_of_addresses(
      {"a", "b", "c"}, {{"b0.a", "block.node"}, {"", ""}, {"b0.c", "block.node"}});
  EXPECT_THAT(level_names(network), ElementsAre("network", "block"));
  EXPECT_THAT(switches_of(network, "a"), ElementsAre("b0"));
  EXPECT_THAT(switches_of(network, "b"), ElementsAre("b"));
}

}  // namespace
}  // namespace kith
