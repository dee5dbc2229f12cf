#include "simulate/machine_links.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "kith/detail/tree_machine.hpp"
#include "kith/error.hpp"
#include "objective/link_load.hpp"
#include "unit/objective/random_problem.hpp"
#include "unit/test_files.hpp"

namespace kith::simulate {
namespace {

using Names = std::vector<std::string>;

/// The links of a route.
Names route_of(const std::string& spec, std::uint32_t from, std::uint32_t to) {
  const std::unique_ptr<Machine> machine = parse_machine(spec);
  MachineLinks links(*machine, {});
  Names names;
  for (const std::uint32_t link : links.route(Slot(from), Slot(to)).links) {
    names.push_back(links.links()[link].name);
  }
  return names;
}

Names assumed(const std::string& spec, const NetworkOptions& options) {
  const std::unique_ptr<Machine> machine = parse_machine(spec);
  return MachineLinks(*machine, options).assumptions();
}

bool says(const Names& sentences, const std::string& part) {
  return std::ranges::any_of(
      sentences, [&](const std::string& one) { return one.find(part) != std::string::npos; });
}

TEST(MachineLinks, TreesGoUpAndDown) {
  EXPECT_EQ(route_of("tree:3x2x2", 1, 11), (Names{"node0 up", "node2 down"}));
  EXPECT_EQ(route_of("tree:3x2x2", 11, 1), (Names{"node2 up", "node0 down"}));
  EXPECT_EQ(route_of("tree:3x2x2", 8, 11), (Names{"memory of node2"}));
  EXPECT_EQ(route_of("tree:3x2x2", 8, 8), (Names{"memory of node2"}));
  // Three layers of switches: through the second for neighbours of neighbours.
  const Names far = route_of("fattree:2,3,1", 0, 7);
  EXPECT_EQ(far.size(), 6U);
  EXPECT_EQ(far[0], "node0 up");
  EXPECT_TRUE(std::ranges::find(far, "level1 1 down") != far.end()) << far[4];
  EXPECT_EQ(route_of("fattree:2,3,1", 0, 2).size(), 4U);
  EXPECT_EQ(route_of("fattree:2,3,1", 0, 1), (Names{"node0 up", "node1 down"}));
}

TEST(MachineLinks, GridsGoDimensionByDimension) {
  EXPECT_EQ(route_of("torus:4x4", 0, 11), (Names{"node0 +0", "node4 +0", "node8 -1"}));
  EXPECT_EQ(route_of("torus:4x4", 11, 0), (Names{"node11 +0", "node15 +0", "node3 +1"}));
  EXPECT_EQ(route_of("mesh:4x4", 0, 7), (Names{"node0 +0", "node4 +1", "node5 +1", "node6 +1"}));
  EXPECT_EQ(route_of("torus:4x4/2", 1, 9), (Names{"node0 out", "node0 +0", "node4 in"}));
  EXPECT_EQ(route_of("torus:4x4/2", 1, 0), (Names{"memory of node0"}));
}

TEST(MachineLinks, DragonfliesTakeTheLinkBetweenTwoGroups) {
  const Names far = route_of("dragonfly:5,2,2", 0, 19);
  ASSERT_GE(far.size(), 3U);
  EXPECT_EQ(far.front(), "node0 out");
  EXPECT_EQ(far.back(), "node19 in");
  EXPECT_TRUE(std::ranges::find(far, "group 0 to group 4") != far.end());
  EXPECT_EQ(route_of("dragonfly:5,2,2", 0, 1), (Names{"node0 out", "node1 in"}));
  EXPECT_EQ(route_of("dragonfly:5,2,2", 0, 2),
            (Names{"node0 out", "router 0 to 1 of its group", "node2 in"}));
}

TEST(MachineLinks, RoutesAreAsLongAsTheMachineSays) {
  for (const char* spec : {"torus:4x5", "torus:3x4x5", "mesh:3x3", "hypercube:4", "dragonfly:5,2,2",
                           "fattree:2,3,2", "tree:6x1"}) {
    const std::unique_ptr<Machine> machine = parse_machine(spec);
    MachineLinks links(*machine, {});
    for (std::uint32_t a = 0; a < machine->slots(); ++a) {
      for (std::uint32_t b = 0; b < machine->slots(); ++b) {
        if (a == b) continue;
        // In tree:6x1 the slots are below the nodes.
        const std::uint64_t in_nodes = std::string(spec) == "tree:6x1" ? 2 : 0;
        ASSERT_EQ(links.route(Slot(a), Slot(b)).links.size(),
                  machine->hops(Slot(a), Slot(b)) - in_nodes)
            << spec << " " << a << " " << b;
      }
    }
  }
}

/// Some pairs are nearer over a third group.
TEST(MachineLinks, DragonfliesTakeNoOtherGroupsLinks) {
  const std::unique_ptr<Machine> machine = parse_machine("dragonfly:9,4,2,absolute");
  MachineLinks links(*machine, {});
  for (std::uint32_t a = 0; a < machine->slots(); ++a) {
    for (std::uint32_t b = 0; b < machine->slots(); ++b) {
      if (a == b) continue;
      const Route route = links.route(Slot(a), Slot(b));
      ASSERT_GE(route.links.size(), machine->hops(Slot(a), Slot(b))) << a << " " << b;
      ASSERT_LE(route.links.size(), 5U);
      const auto between_groups = std::ranges::count_if(route.links, [&](std::uint32_t link) {
        return links.links()[link].name.starts_with("group ");
      });
      ASSERT_EQ(between_groups, a / 8 == b / 8 ? 0 : 1) << a << " " << b;
    }
  }
}

/// The same bytes on the same links as in the metric that says how full they are.
TEST(MachineLinks, RoutesAreThoseOfTheLinkLoad) {
  std::mt19937_64 random(5);
  for (const char* spec : {"torus:4x4", "torus:2x3x4", "mesh:4x5", "hypercube:4"}) {
    const std::unique_ptr<Machine> machine = parse_machine(spec);
    MachineLinks links(*machine, {});
    const TrafficMatrix matrix = kith::testing::random_matrix(random, machine->slots(), 0.3, 1000);
    const Mapping mapping = identity_mapping(machine->slots(), *machine, 1);
    std::map<std::uint32_t, std::uint64_t> bytes;
    for (std::uint32_t from = 0; from < matrix.ranks(); ++from) {
      const auto destinations = matrix.destinations(Rank(from));
      for (std::size_t i = 0; i < destinations.size(); ++i) {
        if (destinations[i] == Rank(from)) continue;
        const Route route = links.route(mapping[Rank(from)], mapping[destinations[i]]);
        for (const std::uint32_t link : route.links) bytes[link] += matrix.weights(Rank(from))[i];
      }
    }
    std::uint64_t most = 0;
    for (const auto& [link, sum] : bytes) most = std::max(most, sum);
    EXPECT_EQ(max_link_load(matrix, *machine, mapping), most) << spec;
  }
}

TEST(MachineLinks, EqualKeysAreEqualRoutes) {
  for (const char* spec :
       {"tree:2x2x3", "torus:3/2x2", "dragonfly:3,2,2/2", "fattree:2,2,1", "tree:7", "tree:1x4"}) {
    const std::unique_ptr<Machine> machine = parse_machine(spec);
    MachineLinks links(*machine, {});
    std::map<std::uint64_t, Route> known;
    for (std::uint32_t a = 0; a < machine->slots(); ++a) {
      for (std::uint32_t b = 0; b < machine->slots(); ++b) {
        const Route route = links.route(Slot(a), Slot(b));
        const auto [found, is_new] = known.try_emplace(links.key(Slot(a), Slot(b)), route);
        EXPECT_EQ(found->second.links, route.links) << spec << " " << a << " " << b;
        EXPECT_EQ(found->second.latency, route.latency) << spec << " " << a << " " << b;
        EXPECT_EQ(found->second.most_each, route.most_each) << spec << " " << a << " " << b;
        EXPECT_EQ(route.leaves_host, machine->node_of(Slot(a)) != machine->node_of(Slot(b)));
      }
    }
  }
}

TEST(MachineLinks, WideLinksAreOne) {
  const std::unique_ptr<Machine> machine = parse_machine("fattree:2,3,1");
  MachineLinks links(*machine, {});
  const Route route = links.route(Slot(0), Slot(7));
  std::map<std::string, double> cables;
  for (const std::uint32_t link : route.links) {
    cables[links.links()[link].name] = links.links()[link].bytes_per_second / 1.25e9;
  }
  EXPECT_EQ(cables.at("node0 up"), 1);
  EXPECT_EQ(cables.at("level2 0 up"), 2);
  EXPECT_EQ(cables.at("level1 0 up"), 4);
  EXPECT_EQ(route.most_each, 1.25e9);  // one message takes one of them
}

TEST(MachineLinks, OneHostHasItsMemory) {
  const std::unique_ptr<Machine> machine = parse_machine("tree:1x4");
  NetworkOptions options;
  MachineLinks assumed_links(*machine, options);
  Route route = assumed_links.route(Slot(0), Slot(3));
  EXPECT_EQ(route.most_each, 1e10);
  EXPECT_EQ(route.latency, 0.5e-6);
  EXPECT_EQ(assumed_links.links()[0].bytes_per_second, 4e10);
  EXPECT_TRUE(assumed_links.links()[0].is_memory);
  options.memory_megabytes_per_s = 3000;
  options.bandwidth_factor = 7;  // of the network
  MachineLinks links(*machine, options);
  route = links.route(Slot(0), Slot(3));
  EXPECT_EQ(route.most_each, 3e9);
  EXPECT_EQ(links.links()[0].bytes_per_second, 3e9);
}

/// What was measured as latency has both ends' calls in it.
TEST(MachineLinks, MeasuredCallsAreNoLatency) {
  const auto route = [](const std::string& levels) {
    const TempDirectory folder;
    const auto file = folder.write("net", levels + "h0 slots=2\nh1 slots=2\n");
    const std::unique_ptr<Machine> machine = parse_machine("hosts:" + file.string());
    return MachineLinks(*machine, {}).route(Slot(0), Slot(2));
  };
  const Route measured = route("level network latency=20 bandwidth=100 overhead=3\n");
  EXPECT_NEAR(measured.overhead, 3e-6, 1e-12);
  EXPECT_NEAR(measured.latency, 14e-6, 1e-12);
  const Route all_calls = route("level network latency=20 bandwidth=100 overhead=11\n");
  EXPECT_NEAR(all_calls.latency, 2e-6, 1e-12);
  const Route unknown = route("level network latency=20 bandwidth=100\n");
  EXPECT_NEAR(unknown.overhead, 1e-6, 1e-12);
  EXPECT_NEAR(unknown.latency, 20e-6, 1e-12);
}

TEST(MachineLinks, MessagesOfAHostShareWhatWasMeasured) {
  const TempDirectory folder;
  const auto file = folder.write("a.net",
                                 "level network bandwidth=100 shared=180 eager=8192\n"
                                 "level host bandwidth=4000 shared=6000\n"
                                 "h0 slots=2\nh1 slots=2\n");
  const std::unique_ptr<Machine> machine = parse_machine("hosts:" + file.string());
  MachineLinks links(*machine, {});
  const Route far = links.route(Slot(0), Slot(3));
  EXPECT_EQ(far.most_each, 100e6);
  EXPECT_EQ(links.links()[far.links[0]].bytes_per_second, 180e6);
  const Route near = links.route(Slot(0), Slot(1));
  EXPECT_EQ(near.most_each, 4000e6);
  EXPECT_EQ(links.links()[near.links[0]].bytes_per_second, 6000e6);
  EXPECT_EQ(links.eager_limit(), 8192);
  for (const std::string& one : links.assumptions()) EXPECT_EQ(one.find("memory"), one.npos) << one;
  const std::unique_ptr<Machine> plain = parse_machine("tree:2x2");
  EXPECT_EQ(MachineLinks(*plain, {}).eager_limit(), MachineLinks::default_eager_limit);
}

TEST(MachineLinks, SpeedsAreThoseThatAreSaid) {
  const std::unique_ptr<Machine> machine = parse_machine("tree:2x2");
  NetworkOptions options;
  options.levels["level0"] = {500, 7, 30e3};
  options.levels["level1"] = {2000, -1};
  MachineLinks links(*machine, options);
  EXPECT_EQ(links.links()[links.route(Slot(0), Slot(3)).links[0]].burst_bytes, 30e3);
  EXPECT_EQ(links.links()[links.route(Slot(0), Slot(1)).links[0]].burst_bytes, 0);
  const auto route = [&](std::uint32_t to) {
    return MachineLinks(*machine, options).route(Slot(0), Slot(to));
  };
  EXPECT_EQ(route(3).most_each, 5e8);
  EXPECT_NEAR(route(3).latency, 7e-6, 1e-12);
  EXPECT_EQ(route(1).most_each, 2e9);
  EXPECT_NEAR(route(1).latency, 0.5e-6, 1e-12);
  options.bandwidth_factor = 2;
  options.latency_factor = 0.5;
  EXPECT_EQ(route(3).most_each, 1e9);
  EXPECT_NEAR(route(3).latency, 3.5e-6, 1e-12);
  EXPECT_EQ(route(1).most_each, 2e9);
  EXPECT_NEAR(route(1).latency, 0.5e-6, 1e-12);
  options.latency_us = 1;
  EXPECT_NEAR(route(3).latency, 1e-6, 1e-12);
  EXPECT_NEAR(route(1).latency, 0.5e-6, 1e-12);
}

TEST(MachineLinks, WhatIsAssumedIsTold) {
  NetworkOptions options;
  EXPECT_EQ(assumed("tree:2x2", options).size(), 5U);
  EXPECT_TRUE(says(assumed("tree:2x2", options), "bandwidth between hosts: 1250 MB/s"));
  EXPECT_TRUE(says(assumed("torus:4", options), "latency between hosts: 20 us"));
  EXPECT_FALSE(says(assumed("tree:2x2", options), "between switches"));
  options.latency_us = 1;
  EXPECT_FALSE(says(assumed("tree:2x2", options), "latency between hosts"));
  options.levels["level0"] = {500, -1};
  options.levels["level1"] = {500, 1};
  EXPECT_EQ(
      assumed("tree:2x2", options),
      Names{"memory of a host: 2000 MB/s for all messages in it together, 4 times what one has"});
  options.memory_megabytes_per_s = 1000;
  EXPECT_TRUE(assumed("tree:2x2", options).empty());
}

TEST(MachineLinks, OfSeveralLevelsTheAssumedOneIsNamed) {
  const TempDirectory folder;
  const auto file = folder.write("net", "h0 leaf0\nh1 leaf0\nh2 leaf1\nh3 leaf1\n");
  const std::string spec = "hosts:" + file.string() + ";tree=4";
  EXPECT_TRUE(says(assumed(spec, {}), "bandwidth between hosts: 1250 MB/s"));
  NetworkOptions options;
  options.levels["network"] = {500, 3};
  EXPECT_TRUE(says(assumed(spec, options), "bandwidth between hosts (switch): 1250 MB/s"));
}

TEST(MachineLinks, GuessedLinksBetweenSwitchesAreTold) {
  const TempDirectory folder;
  const auto is_told = [&](const std::string& levels) {
    const auto file = folder.write("net", levels + "h0 leaf0\nh1 leaf0\nh2 leaf1\nh3 leaf1\n");
    return says(assumed("hosts:" + file.string() + ";tree=4", {}), "between switches: half");
  };
  EXPECT_TRUE(is_told(""));
  EXPECT_TRUE(is_told("level network latency=20\nlevel switch bandwidth=100\n"));
  EXPECT_FALSE(is_told("level network bandwidth=50\nlevel switch bandwidth=100\n"));
  EXPECT_TRUE(is_told("level network bandwidth=110\nlevel switch bandwidth=100\n"));
  EXPECT_FALSE(is_told("level network bandwidth=300\nlevel switch bandwidth=100\n"));
}

TEST(MachineLinks, ABandwidthAboveTheCablesIsThatOfTheWholeLink) {
  const TempDirectory folder;
  std::string hosts;
  for (int host = 0; host < 16; ++host) {
    hosts += "h" + std::to_string(host) + (host < 8 ? " leaf0\n" : " leaf1\n");
  }
  const auto trunk = [&](const std::string& network) {
    const auto file = folder.write(
        "net", "level network bandwidth=" + network + "\nlevel switch bandwidth=100\n" + hosts);
    const auto machine = parse_machine("hosts:" + file.string() + ";tree=4");
    MachineLinks links(*machine, {});
    const Route route = links.route(Slot(0), Slot(63));
    EXPECT_LE(route.most_each, 1e8) << "a message alone";
    for (const std::uint32_t link : route.links) {
      if (links.links()[link].name == "switch 0 up")
        return links.links()[link].bytes_per_second / 1e6;
    }
    return 0.0;
  };
  EXPECT_DOUBLE_EQ(trunk("50"), 50);
  EXPECT_DOUBLE_EQ(trunk("100"), 400);  // half the cables of eight hosts
  EXPECT_DOUBLE_EQ(trunk("200"), 200);
  EXPECT_DOUBLE_EQ(trunk("1600"), 1600);
}

TEST(MachineLinks, RoutesThatNobodyKnows) {
  const TempDirectory folder;
  const std::string spec = "matrix:" + folder.write("d.txt", "0 1 2\n1 0 1\n2 1 0\n").string();
  EXPECT_EQ(route_of(spec, 0, 2), (Names{"node0 out", "node2 in"}));
  const std::unique_ptr<Machine> machine = parse_machine(spec);
  NetworkOptions options;
  options.levels["network"] = {100, 5};
  MachineLinks links(*machine, options);
  EXPECT_EQ(links.route(Slot(0), Slot(2)).most_each, 1e8);
  EXPECT_TRUE(says(links.assumptions(), "routes between nodes are not known"));
}

TEST(MachineLinks, LevelsThatAMachineDoesNotHave) {
  NetworkOptions options;
  options.levels["nosuch"] = {100, -1};
  expect_error([&] { assumed("tree:2x2", options); }, {"--link", "level0, level1", "'nosuch'"});
  expect_error([&] { assumed("torus:4/2", options); }, {"--link", "network", "'nosuch'"});
  options.levels = {{"network", {100, -1}}};
  expect_error([&] { assumed("tree:2x2", options); }, {"'network'"});
  expect_error([&] { assumed("tree:1x2", options); }, {"'network' (the machine is one host"});
  EXPECT_FALSE(says(assumed("torus:4", options), "bandwidth between hosts"));
}

}  // namespace
}  // namespace kith::simulate
