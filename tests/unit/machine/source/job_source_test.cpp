#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kith/error.hpp"
#include "kith/job.hpp"
#include "kith/tree_machine.hpp"
#include "machine/hwloc/hwloc_topology.hpp"

namespace kith {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Cpus = std::vector<std::uint32_t>;

JobHardware synthetic(const std::string& text) {
  const auto topology = load_synthetic(text, "test");
  char* xml = nullptr;
  int length = 0;
  EXPECT_EQ(hwloc_topology_export_xmlbuffer(topology.get(), &xml, &length, 0), 0);
  JobHardware hardware{text, xml};
  hwloc_free_xmlbuffer(topology.get(), xml);
  return hardware;
}

/// Rank i on host placed[i].first, bound to placed[i].second.
JobDescription job_of(std::vector<std::pair<std::uint32_t, Cpus>> placed,
                      std::vector<JobHardware> hardware, std::vector<std::uint32_t> kind_of_host) {
  JobDescription job;
  for (std::uint32_t h = 0; h < kind_of_host.size(); ++h) {
    job.hosts.push_back({"node" + std::to_string(h), kind_of_host[h]});
  }
  job.hardware = std::move(hardware);
  for (auto& [host, cpus] : placed) {
    job.processes.push_back({static_cast<std::uint32_t>(job.processes.size()), host, cpus});
  }
  return job;
}

std::vector<std::string> names(const Machine& machine) {
  std::vector<std::string> out;
  for (const Level& level : machine.as_tree()->levels()) out.push_back(level.name);
  return out;
}

TEST(JobMachine, NumbersSlotsByLauncherRankHoweverRanksAreDealtOut) {
  // Two hosts of two packages of two cores, ranks dealt out in turn to hosts.
  const auto job =
      job_of({{0, {0}}, {1, {0}}, {0, {1}}, {1, {1}}, {0, {2}}, {1, {2}}, {0, {3}}, {1, {3}}},
             {synthetic("package:2 core:2 pu:1")}, {0, 0});
  const auto machine = parse_machine("job", &job);
  EXPECT_EQ(machine->kind(), "job");
  EXPECT_EQ(machine->slots(), 8U);
  EXPECT_EQ(machine->nodes(), 2U);
  EXPECT_FALSE(machine->has_costs());
  EXPECT_EQ(machine->hosts_digest(), job.hosts_digest());
  EXPECT_THAT(names(*machine), ElementsAre("network", "host", "package"));
  EXPECT_EQ(machine->hops(Slot(0), Slot(1)), 6U);  // other host
  EXPECT_EQ(machine->hops(Slot(0), Slot(2)), 2U);  // same package
  EXPECT_EQ(machine->hops(Slot(0), Slot(4)), 4U);  // same host
  EXPECT_EQ(machine->as_tree()->allowed_arities(), (std::vector<std::uint32_t>{2, 2, 2}));
}

TEST(JobMachine, UsesOnlyTheLevelsThatGroupRanks) {
  // One rank per package: packages group nothing.
  const auto job = job_of({{0, {0}}, {0, {4}}, {1, {0}}, {1, {4}}},
                          {synthetic("package:2 l3:2 core:2 pu:1")}, {0, 0});
  const auto machine = parse_machine("job", &job);
  EXPECT_THAT(names(*machine), ElementsAre("network", "host"));
  EXPECT_EQ(machine->hops(Slot(0), Slot(1)), 2U);
  EXPECT_EQ(machine->hops(Slot(1), Slot(2)), 4U);
}

TEST(JobMachine, HasNoNetworkOnOneHost) {
  const auto job =
      job_of({{0, {0}}, {0, {1}}, {0, {2}}, {0, {3}}}, {synthetic("package:2 core:2 pu:1")}, {0});
  const auto machine = parse_machine("job", &job);
  EXPECT_THAT(names(*machine), ElementsAre("host", "package"));
  EXPECT_EQ(machine->nodes(), 1U);
}

TEST(JobMachine, KnowsHostsWithoutTopology) {
  const auto job = job_of({{0, {}}, {1, {}}, {0, {0}}}, {{"", ""}}, {0, 0});
  const auto machine = parse_machine("job", &job);
  EXPECT_THAT(names(*machine), ElementsAre("network", "host"));
  EXPECT_EQ(machine->hops(Slot(0), Slot(2)), 2U);
  EXPECT_EQ(machine->hops(Slot(0), Slot(1)), 4U);
  auto bare = job;
  bare.hardware.clear();
  EXPECT_EQ(parse_machine("job", &bare)->hops(Slot(0), Slot(2)), 2U);
}

TEST(JobMachine, PutsUnboundRanksBelowTheHost) {
  // Ranks 0 and 1 share package 0; ranks 2 and 3 may run anywhere.
  const auto job = job_of({{0, {0}}, {0, {1}}, {0, {}}, {0, {0, 1, 2, 3}}},
                          {synthetic("package:2 core:2 pu:1")}, {0});
  const auto machine = parse_machine("job", &job);
  EXPECT_THAT(names(*machine), ElementsAre("host", "package"));
  EXPECT_EQ(machine->hops(Slot(0), Slot(1)), 2U);
  EXPECT_EQ(machine->hops(Slot(0), Slot(2)), 4U);
  EXPECT_EQ(machine->hops(Slot(2), Slot(3)), 4U);
}

TEST(JobMachine, BindsToTheSmallestObjectThatCovers) {
  // Ranks bound to whole packages: distinct slots of their package.
  const auto job = job_of({{0, {0, 1}}, {0, {0, 1}}, {0, {2, 3}}, {0, {2, 3}}},
                          {synthetic("package:2 core:2 pu:1")}, {0});
  const auto machine = parse_machine("job", &job);
  EXPECT_THAT(names(*machine), ElementsAre("host", "package"));
  EXPECT_EQ(machine->slots(), 4U);
  EXPECT_EQ(machine->hops(Slot(0), Slot(1)), 2U);
  EXPECT_EQ(machine->hops(Slot(1), Slot(2)), 4U);
}

TEST(JobMachine, RanksOnOneCoreAreDistinctSlotsBelowIt) {
  const auto job =
      job_of({{0, {0}}, {0, {1}}, {0, {0}}, {0, {1}}}, {synthetic("core:2 pu:1")}, {0});
  const auto machine = parse_machine("job", &job);
  EXPECT_THAT(names(*machine), ElementsAre("host", "core"));
  EXPECT_EQ(machine->slots(), 4U);
  EXPECT_EQ(machine->hops(Slot(0), Slot(2)), 2U);
  EXPECT_EQ(machine->hops(Slot(0), Slot(1)), 4U);
  // Hardware threads of one core.
  const auto threads =
      job_of({{0, {0}}, {0, {1}}, {0, {2}}, {0, {3}}}, {synthetic("core:2 pu:2")}, {0});
  EXPECT_THAT(names(*parse_machine("job", &threads)), ElementsAre("host", "core"));
}

TEST(JobMachine, PadsLevelsThatSomeHostsLack) {
  const auto job =
      job_of({{0, {0}}, {0, {1}}, {0, {2}}, {0, {3}}, {1, {0}}, {1, {1}}, {1, {2}}, {1, {3}}},
             {synthetic("package:2 l3:1 core:2 pu:1"), synthetic("core:4 pu:1")}, {0, 1});
  const auto machine = parse_machine("job", &job);
  EXPECT_THAT(names(*machine), ElementsAre("network", "host", "package"));
  EXPECT_EQ(machine->hops(Slot(0), Slot(1)), 2U);
  EXPECT_EQ(machine->hops(Slot(1), Slot(2)), 4U);
  EXPECT_EQ(machine->hops(Slot(4), Slot(7)), 4U);  // nothing between host and core there
  EXPECT_EQ(machine->hops(Slot(3), Slot(4)), 6U);
  EXPECT_EQ(machine->as_tree()->allowed_arities(), std::nullopt);
}

TEST(JobMachine, MergesKindsWhoseLevelsStandInAnotherOrder) {
  const auto job = job_of(
      {{0, {0}}, {0, {1}}, {0, {2}}, {0, {3}}, {1, {0}}, {1, {1}}, {1, {2}}, {1, {3}}},
      {synthetic("package:2 l3:2 core:1 pu:1"), synthetic("l3:2 package:1 core:2 pu:1")}, {0, 1});
  const auto machine = parse_machine("job", &job);
  EXPECT_EQ(machine->hops(Slot(4), Slot(5)), machine->hops(Slot(6), Slot(7)));
  EXPECT_LT(machine->hops(Slot(4), Slot(5)), machine->hops(Slot(5), Slot(6)));
  EXPECT_LT(machine->hops(Slot(0), Slot(1)), machine->hops(Slot(1), Slot(2)));
}

TEST(JobMachine, IgnoresProcessorsThatTheHostDoesNotHave) {
  const auto job = job_of({{0, {4000000000}}, {0, {0, 4000000000}}, {0, {1}}},
                          {synthetic("package:1 core:2 pu:1")}, {0});
  EXPECT_EQ(parse_machine("job", &job)->slots(), 3U);
}

TEST(JobMachine, AcceptsASingleRank) {
  const auto job = job_of({{0, {0}}}, {synthetic("core:2 pu:1")}, {0});
  const auto machine = parse_machine("job", &job);
  EXPECT_EQ(machine->slots(), 1U);
  EXPECT_THAT(names(*machine), ElementsAre("host"));
}

TEST(JobMachine, RefusesDanglingIndices) {
  auto job = job_of({{0, {}}, {3, {}}}, {}, {0});
  EXPECT_THROW(parse_machine("job", &job), Error);
  job = job_of({{0, {}}}, {{"", ""}}, {5});
  EXPECT_THROW(parse_machine("job", &job), Error);
  job = job_of({}, {}, {});
  EXPECT_THROW(parse_machine("job", &job), Error);
  job = job_of({{0, {}}}, {{"abc", "<topology><object"}}, {0});
  try {
    parse_machine("job", &job);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("hardware abc"));
  }
}

TEST(JobMachine, DigestsHostsInLauncherOrder) {
  const auto a = job_of({{0, {}}, {1, {}}}, {}, {0, 0});
  auto b = job_of({{1, {}}, {0, {}}}, {}, {0, 0});
  EXPECT_NE(a.hosts_digest(), b.hosts_digest());
  std::swap(b.hosts[0], b.hosts[1]);  // only the numbering differs now
  EXPECT_EQ(a.hosts_digest(), b.hosts_digest());
  EXPECT_EQ(a.hosts_digest().size(), 16U);
}

}  // namespace
}  // namespace kith
