#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "kith/detail/job.hpp"
#include "kith/detail/tree_machine.hpp"
#include "kith/error.hpp"
#include "machine/hwloc/hwloc_topology.hpp"
#include "unit/corpus.hpp"
#include "unit/test_files.hpp"

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

/// Hosts h0 .. h(n-1) with one rank each, below switches top down.
JobDescription switched(std::vector<std::vector<std::string>> switches,
                        std::vector<LevelCost> levels) {
  JobDescription job;
  job.network.levels = std::move(levels);
  for (auto& above : switches) {
    const auto number = static_cast<std::uint32_t>(job.hosts.size());
    job.hosts.push_back({std::string("h").append(std::to_string(number)), 0, std::move(above)});
    job.processes.push_back({number, number});
  }
  return job;
}

TEST(JobMachine, SwitchesAreLevelsAndHostsAreNamed) {
  const auto job = switched({{"p0", "s0"}, {"p0", "s1"}, {"p1", "s2"}, {"p0", "s0"}, {"p1", "s2"}},
                            {{"network"}, {"switch2"}, {"switch"}});
  const auto machine = parse_machine("job", &job);
  EXPECT_THAT(names(*machine), ElementsAre("network", "switch2", "switch"));
  EXPECT_EQ(machine->hops(Slot(0), Slot(3)), 2U);
  EXPECT_EQ(machine->hops(Slot(0), Slot(1)), 4U);
  EXPECT_EQ(machine->hops(Slot(0), Slot(2)), 6U);
  EXPECT_EQ(machine->nodes(), 5U);
  EXPECT_THAT(machine->node_names(), ElementsAre("h0", "h3", "h1", "h2", "h4"));
  for (std::uint32_t slot = 0; slot < 5; ++slot) {
    EXPECT_EQ(machine->node_name(machine->node_of(Slot(slot))),
              std::string("h").append(std::to_string(slot)));
  }
  EXPECT_FALSE(machine->has_costs());
}

TEST(JobMachine, EqualNamesBelowDifferentSwitchesAreDifferentSwitches) {
  const auto job = switched({{"p0", "leaf"}, {"p0", "leaf"}, {"p1", "leaf"}, {"p1", "leaf"}},
                            {{"network"}, {"switch2"}, {"switch"}});
  const auto machine = parse_machine("job", &job);
  EXPECT_EQ(machine->hops(Slot(0), Slot(1)), 2U);
  EXPECT_EQ(machine->hops(Slot(1), Slot(2)), 4U);
}

TEST(JobMachine, MeasuredCostsAreUsedAndShown) {
  auto job = switched({{"s0"}, {"s0"}, {"s1"}, {"s1"}},
                      {{"network", 270000, 190, 3.7}, {"switch", 85000, 120, 11.9}});
  const auto machine = parse_machine("job", &job);
  EXPECT_TRUE(machine->has_costs());
  EXPECT_EQ(machine->cost(Slot(0), Slot(1)), 85000U);
  EXPECT_EQ(machine->cost(Slot(1), Slot(2)), 270000U);
  EXPECT_EQ(machine->cost(Slot(1), Slot(1)), 0U);
  EXPECT_EQ(machine->as_tree()->levels()[0].latency_us, 190);
  EXPECT_EQ(machine->as_tree()->levels()[1].megabytes_per_s, 11.9);
}

TEST(JobMachine, WhereAllHostsShareASwitchItsCostCounts) {
  const auto job = switched({{"s0"}, {"s0"}}, {{"network", 270000}, {"switch", 85000}});
  const auto machine = parse_machine("job", &job);
  EXPECT_THAT(names(*machine), ElementsAre("network"));
  EXPECT_EQ(machine->cost(Slot(0), Slot(1)), 85000U);
}

TEST(JobMachine, LevelsInsideAHostHaveMeasuredOrEstimatedCosts) {
  auto job = job_of({{0, {0}}, {0, {1}}, {0, {2}}, {1, {0}}, {1, {1}}, {1, {2}}},
                    {synthetic("package:2 core:2 pu:1")}, {0, 0});
  job.network.levels = {{"network", 80000}};
  job.network.host_levels = {{"host", 900}};
  const auto machine = parse_machine("job", &job);
  EXPECT_THAT(names(*machine), ElementsAre("network", "host", "package"));
  EXPECT_EQ(machine->cost(Slot(0), Slot(3)), 80000U);
  EXPECT_EQ(machine->cost(Slot(0), Slot(2)), 900U);
  EXPECT_EQ(machine->cost(Slot(0), Slot(1)), 450U);  // half the hops of the host's level
}

TEST(JobMachine, UnequalHostsKeepAllTheirSlots) {
  const auto job = job_of({{0, {0}}, {0, {1}}, {0, {2}}, {0, {3}}, {1, {0}}, {2, {0}}, {2, {0}}},
                          {synthetic("core:4 pu:1"), synthetic("core:1 pu:2")}, {0, 1, 1});
  const auto machine = parse_machine("job", &job);
  EXPECT_EQ(machine->slots(), 7U);
  EXPECT_EQ(machine->nodes(), 3U);
  EXPECT_EQ(machine->node_of(Slot(4)), 1U);
  EXPECT_LT(machine->hops(Slot(5), Slot(6)), machine->hops(Slot(0), Slot(3)));  // one core
}

TEST(JobMachine, HostsOfOneNameStayApart) {
  auto job = job_of({{0, {}}, {1, {}}}, {}, {0, 0});
  job.hosts[1].name = job.hosts[0].name;
  const auto machine = parse_machine("job", &job);
  EXPECT_EQ(machine->nodes(), 2U);
  EXPECT_NE(machine->node_of(Slot(0)), machine->node_of(Slot(1)));
}

TEST(JobMachine, RefusesHostsWithoutTheirSwitches) {
  auto job = switched({{"s0"}, {}}, {{"network"}, {"switch"}});
  try {
    parse_machine("job", &job);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("1 switches above each host, found 0 at host h1"));
  }
}

TEST(JobMachine, TakesANetworkFromAFile) {
  const TempDirectory directory;
  const auto job = switched({{}, {}, {}, {}}, {});
  const std::string file =
      directory.write("h.net", "h0.cluster s0\nh1.cluster s0\nh2 s1\nh3 s1\n").string();
  const auto machine = parse_machine("job;network=" + file, &job);
  EXPECT_THAT(names(*machine), ElementsAre("network", "switch"));
  EXPECT_EQ(machine->hops(Slot(0), Slot(1)), 2U);
  EXPECT_EQ(machine->hops(Slot(1), Slot(2)), 4U);
  EXPECT_EQ(machine->hosts_digest(), job.hosts_digest());

  const std::string slurm =
      directory.write("topology.conf", "SwitchName=a Nodes=h[0-2]\nSwitchName=b Nodes=h3\n");
  EXPECT_EQ(parse_machine("job;network=" + slurm, &job)->hops(Slot(0), Slot(2)), 2U);

  const std::string some = directory.write("some.net", "h0 s0\nh1 s0\nx s1\n").string();
  testing::internal::CaptureStderr();
  const auto partly = parse_machine("job;network=" + some, &job);
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("2 of 4 hosts (h[2-3])"));
  EXPECT_EQ(partly->hops(Slot(0), Slot(1)), 2U);
  EXPECT_EQ(partly->hops(Slot(2), Slot(3)), 4U);

  const std::string other = directory.write("other.net", "x s0\ny s1\n").string();
  expect_error([&] { parse_machine("job;network=" + other, &job); },
               {"topology", "names none of the job's hosts (h[0-3])"});
}

TEST(JobMachine, PlacesRanksOnRealProcessors) {
  const auto file = corpus() / "hwloc/32em64t-2n8c2t-pci-noio.xml";
  // Two packages of eight cores of two threads.
  const JobHardware hardware{"real", content_of(file)};
  const auto topology = load_xml(hardware.xml, "real");
  const auto pu = [&](unsigned package, unsigned core, unsigned thread) {
    const hwloc_obj* const object =
        hwloc_get_obj_by_type(topology.get(), HWLOC_OBJ_PU, 16 * package + 2 * core + thread);
    return object->os_index;
  };
  const auto both = [&](unsigned package, unsigned core) {
    std::vector<std::uint32_t> cpus{pu(package, core, 0), pu(package, core, 1)};
    std::ranges::sort(cpus);
    return cpus;
  };
  // Two ranks on threads of one core, one on a whole core, one on the other package, one unbound.
  const auto job =
      job_of({{0, {pu(0, 0, 0)}}, {0, {pu(0, 0, 1)}}, {0, both(0, 1)}, {0, both(1, 0)}, {0, {}}},
             {hardware}, {0});
  const auto machine = parse_machine("job", &job);
  const auto near = [&](unsigned a, unsigned b) { return machine->hops(Slot(a), Slot(b)); };
  EXPECT_LT(near(0, 1), near(0, 2));
  EXPECT_LT(near(0, 2), near(0, 3));
  EXPECT_EQ(near(0, 3), near(0, 4));
  EXPECT_EQ(near(3, 4), near(0, 3));
}

}  // namespace
}  // namespace kith
