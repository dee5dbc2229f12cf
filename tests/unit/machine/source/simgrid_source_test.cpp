// Platforms that others wrote, and broken ones.
#include <gmock/gmock.h>

#include "kith/detail/tree_machine.hpp"
#include "kith/machine.hpp"
#include "unit/test_files.hpp"

namespace kith {
namespace {

using testing::ElementsAre;

std::unique_ptr<Machine> machine_of(const std::string& body) {
  const TempDirectory folder;
  const std::string text =
      "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
      "<platform version=\"4.1\">\n" +
      body + "</platform>\n";
  return parse_machine("simgrid:" + folder.write("p.xml", text).string());
}

std::string cluster(const std::string& radical, const std::string& more) {
  return "<cluster id='c' prefix='n' suffix='' radical='" + radical +
         "' speed='1Gf' bw='1GBps' lat='1us' " + more + "/>\n";
}

TEST(SimgridSource, FlatClusters) {
  const auto machine =
      machine_of("<zone id='z' routing='Full'>" + cluster("0-3,7", "core='4'") + "</zone>");
  EXPECT_EQ(machine->nodes(), 5U);
  EXPECT_EQ(machine->slots(), 20U);
  EXPECT_EQ(machine->hops(Slot(0), Slot(3)), 2U);
  EXPECT_EQ(machine->hops(Slot(3), Slot(4)), 4U);
}

TEST(SimgridSource, ToriNameTheFastestDimensionFirst) {
  const auto machine = machine_of(cluster("0-23", "topology='TORUS' topo_parameters='4,3,2'"));
  EXPECT_THAT(machine->dims(), ElementsAre(2, 3, 4));
  EXPECT_EQ(machine->hops(Slot(0), Slot(3)), 1U);
}

TEST(SimgridSource, FatTreesNameTheLowestLevelFirst) {
  const auto machine =
      machine_of(cluster("0-7", "topology='FAT_TREE' topo_parameters='2;4,2;1,2;1,2'"));
  EXPECT_EQ(machine->kind(), "fattree");
  EXPECT_EQ(machine->nodes(), 8U);
  EXPECT_EQ(machine->hops(Slot(0), Slot(3)), 2U);
  EXPECT_EQ(machine->hops(Slot(3), Slot(4)), 4U);
}

TEST(SimgridSource, Dragonflies) {
  const auto machine =
      machine_of(cluster("0-35", "topology='DRAGONFLY' topo_parameters='3,4;3,2;2,1;2'"));
  EXPECT_EQ(machine->nodes(), 36U);
  EXPECT_EQ(machine->hops(Slot(0), Slot(1)), 2U);
  EXPECT_EQ(machine->hops(Slot(0), Slot(2)), 3U);   // the other router of the chassis
  EXPECT_EQ(machine->hops(Slot(0), Slot(4)), 3U);   // the same router of the next chassis
  EXPECT_EQ(machine->hops(Slot(0), Slot(6)), 4U);   // another one of the next chassis
  EXPECT_EQ(machine->hops(Slot(2), Slot(12)), 3U);  // router 1 of group 0, router 0 of group 1
}

TEST(SimgridSource, ZonesThatAreNoTreeAreGraphs) {
  // A ring of four hosts, of which one link counts twice.
  std::string zone = "<zone id='z' routing='Floyd'>";
  for (const char* host : {"a", "b", "c", "d"}) {
    zone += "<host id='" + std::string(host) + "' speed='1Gf'/>";
  }
  for (const char* ends : {"ab", "bc", "cd"}) {
    zone += "<route src='" + std::string(1, ends[0]) + "' dst='" + ends[1] +
            "'><link_ctn id='l'/></route>";
  }
  zone +=
      "<!-- <route src='a'/> --><route src='d' dst='a'><link_ctn id='l'/><link_ctn id='m'/>"
      "</route></zone>";
  const auto machine = machine_of(zone);
  EXPECT_EQ(machine->slots(), 4U);
  EXPECT_EQ(machine->hops(Slot(0), Slot(1)), 1U);
  EXPECT_EQ(machine->hops(Slot(0), Slot(3)), 2U);
  EXPECT_THAT(machine->node_names(), ElementsAre("a", "b", "c", "d"));
}

TEST(SimgridSource, TreesWhoseHostsAreMixedUpAreGraphs) {
  std::string zone = "<zone id='z' routing='Dijkstra'>";
  for (const char* host : {"a", "b", "c", "d"}) {
    zone += "<host id='" + std::string(host) + "' speed='1Gf'/>";
  }
  zone += "<router id='r'/><router id='s'/><router id='t'/>";
  for (const char* ends : {"as", "bt", "cs", "dt", "sr", "tr"}) {
    zone += "<route src='" + std::string(1, ends[0]) + "' dst='" + ends[1] +
            "'><link_ctn id='l'/></route>";
  }
  const auto machine = machine_of(zone + "</zone>");
  EXPECT_EQ(machine->hops(Slot(0), Slot(2)), 2U);
  EXPECT_EQ(machine->hops(Slot(0), Slot(1)), 4U);
}

TEST(SimgridSource, BadPlatformsNameThePlace) {
  const TempDirectory folder;
  const std::string start = "<platform version='4.1'>\n";
  const std::string hosts = "<host id='a' speed='1Gf'/><host id='b' speed='1Gf'/>";
  const std::vector<BrokenFile> broken{
      {"", {"a SimGrid platform, found no tag"}},
      {"<topology>\n</topology>", {":1: expected a SimGrid platform, found <topology>"}},
      {start + "<host id='a", {":2:", "the end of the value of \"id\""}},
      {start + "<host id=a/>", {":2:", "a value in quotation marks for \"id\""}},
      {start + "\n<host speed='1Gf'/>", {":3: expected <host> with id="}},
      {start + "<host id='a' core='0'/>", {":2: expected a number of cores"}},
      {start + "<!-- ", {"\"-->\", found the end"}},
      {start + "<zone id='z'></zone>", {"one cluster, or one zone of hosts, found neither"}},
      {start + hosts + cluster("0-3", ""), {"found both"}},
      {start + cluster("0-3", "") + cluster("4-7", ""), {"one cluster, found another"}},
      {start + cluster("3-0", ""), {"a radical such as 0-255"}},
      {start + cluster("0-99999999999", ""), {"a radical"}},
      {start + cluster("0-3", "core='x'"), {"a number of cores"}},
      {start + cluster("0-3", "topology='RING'"), {"FLAT, TORUS, FAT_TREE or DRAGONFLY", "RING"}},
      {start + cluster("0-3", "topology='TORUS' topo_parameters='2,3'"), {"for 4 hosts, found 6"}},
      {start + cluster("0-3", "topology='TORUS' topo_parameters='2,'"), {"positive numbers"}},
      {start + cluster("0-3", "topology='TORUS' topo_parameters='65536,65536'"), {"2^24 hosts"}},
      {start + cluster("0-3", "topology='FAT_TREE' topo_parameters='2;4;1;1'"), {"LEVELS;DOWN"}},
      {start + cluster("0-7", "topology='FAT_TREE' core='16777216' topo_parameters='1;8;1;1'"),
       {"2^24 cores"}},
      {start + cluster("0-3", "topology='DRAGONFLY' topo_parameters='4;1;1'"), {"GROUPS,n"}},
      {start + cluster("0-3", "topology='DRAGONFLY' topo_parameters='4,1;1,1;1,1;1'"),
       {"as many routers in a group as groups"}},
      {start + hosts + "<route src='a' dst='x'/>", {"hosts and routers", "\"x\""}},
      {start + hosts + "<host id='a' speed='1Gf'/>", {"\"a\" twice"}},
      {start + hosts, {"p.xml: expected"}},
      {start + "<link_ctn id='l'/>", {"a route around"}},
      {start + hosts + "<zoneRoute src='a' dst='b'/>", {"found <zoneRoute>"}},
      {start + hosts + "<prop id='kith-slots' value='/etc/passwd'/><route src='a' dst='b'/>",
       {"kith-slots"}},
      {start + "<host id='a' core='2' speed='1Gf'/><host id='b' speed='1Gf'/>",
       {"all have one core, or all several"}},
  };
  for (const auto& [content, parts] : broken) {
    const auto file = folder.write("p.xml", content);
    SCOPED_TRACE(content);
    expect_error([&] { parse_machine("simgrid:" + file.string()); }, parts);
  }
}

}  // namespace
}  // namespace kith
