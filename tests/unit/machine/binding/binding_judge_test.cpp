#include "machine/binding/binding_judge.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "kith/error.hpp"
#include "machine/hwloc/hwloc_topology.hpp"
#include "unit/corpus.hpp"

namespace kith {
namespace {

/// Two packages of two NUMA nodes of four cores with two PUs each: 16 cores, CPUs 2c and 2c + 1.
constexpr const char* two_sockets = "package:2 numa:2 core:4 pu:2";

JobHardware hardware_of(const std::string& synthetic) {
  return {"digest", xml_text(load_synthetic(synthetic, "test").get())};
}

CpuSet cpus(std::uint32_t first, std::uint32_t last) {
  CpuSet set;
  set.add(first, last);
  return set;
}

/// All CPUs of the cores first .. last of two_sockets.
CpuSet cores(std::uint32_t first, std::uint32_t last) {
  return cpus(2 * first, 2 * last + 1);
}

JobDescription job_on(std::uint32_t hosts, const std::vector<CpuSet>& of_each_host,
                      std::uint32_t threads = 0) {
  JobDescription job;
  job.hardware.push_back(hardware_of(two_sockets));
  for (std::uint32_t host = 0; host < hosts; ++host) {
    job.hosts.push_back({"h" + std::to_string(host), 0});
    for (const CpuSet& set : of_each_host) {
      const auto rank = static_cast<std::uint32_t>(job.processes.size());
      job.processes.push_back({rank, host, set, threads});
    }
  }
  return job;
}

std::vector<std::string> rules_of(const JobDescription& job) {
  std::vector<std::string> names;
  for (const BindingFault& fault : judge_bindings(job)) names.emplace_back(fault.rule);
  return names;
}

using Names = std::vector<std::string>;

TEST(BindingJudge, RanksOnOneCoreAreNamed) {
  const auto faults = judge_bindings(job_on(1, {4, cores(3, 3)}));
  ASSERT_FALSE(faults.empty());
  EXPECT_EQ(faults.front().rule, "shared-core");
  EXPECT_EQ(faults.front().ranks, (std::vector<std::uint32_t>{0, 1, 2, 3}));
  EXPECT_EQ(faults.front().what,
            "ranks 0, 1, 2 and 3 share one core, while 15 cores of 16 have no rank");
  EXPECT_NE(faults.front().mend.find("--bind-to core"), std::string::npos);
}

TEST(BindingJudge, TheSmallestCrowdIsTold) {
  // Two on the PUs of one core; two more have that core and another.
  const auto faults =
      judge_bindings(job_on(1, {cpus(0, 0), cpus(1, 1), cores(0, 1), cores(0, 1), cores(8, 9)}));
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults.front().ranks, (std::vector<std::uint32_t>{0, 1}));
}

TEST(BindingJudge, MoreRanksThanCoresAreNoMistake) {
  std::vector<CpuSet> twice;
  for (std::uint32_t cpu = 0; cpu < 32; ++cpu) twice.push_back(cpus(cpu, cpu));
  EXPECT_EQ(rules_of(job_on(2, twice)), Names{});
  EXPECT_EQ(rules_of(job_on(1, {64, cores(0, 15)})), Names{});
}

TEST(BindingJudge, ThreadsNeedProcessors) {
  const std::vector<CpuSet> one_core{cores(0, 0), cores(8, 8)};
  EXPECT_EQ(rules_of(job_on(1, one_core, 2)), Names{});  // one on each of its PUs
  EXPECT_EQ(rules_of(job_on(1, one_core)), Names{});     // nobody knows
  const auto faults = judge_bindings(job_on(1, one_core, 8));
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults.front().rule, "few-cores");
  EXPECT_EQ(
      faults.front().what,
      "ranks 0 and 1 may use 2 processors but run 8 threads, while 14 cores of 16 have no rank");
  EXPECT_NE(faults.front().mend.find("PE=8"), std::string::npos);
  // All cores are taken: there is no better binding.
  std::vector<CpuSet> all;
  for (std::uint32_t core = 0; core < 16; ++core) all.push_back(cores(core, core));
  EXPECT_EQ(rules_of(job_on(1, all, 8)), Names{});
}

TEST(BindingJudge, ARankOverPackagesOrNumaNodesThatFitsIntoOne) {
  EXPECT_EQ(rules_of(job_on(1, {cores(6, 9), cores(0, 3)})), Names{"across-packages"});
  EXPECT_EQ(rules_of(job_on(1, {cores(2, 5), cores(8, 11)})), Names{"across-numa"});
  // Five of three cores each have no room in nodes of four: 4.
  EXPECT_EQ(
      rules_of(job_on(1, {cores(0, 2), cores(3, 5), cores(6, 8), cores(9, 11), cores(12, 14)})),
      Names{});
  // Six cores are more than a NUMA node has.
  EXPECT_EQ(rules_of(job_on(1, {cores(0, 5), cores(8, 13)})), Names{});
}

TEST(BindingJudge, APackageIdles) {
  EXPECT_EQ(rules_of(job_on(1, {cores(0, 0), cores(1, 1), cores(2, 2)})), Names{"idle-packages"});
  EXPECT_EQ(rules_of(job_on(1, {cores(0, 0)})), Names{});  // one rank cannot be in both
  EXPECT_EQ(rules_of(job_on(1, {cores(0, 0), cores(8, 8)})), Names{});
}

TEST(BindingJudge, HostsAlikeAreToldOnce) {
  JobDescription job = job_on(3, {cores(0, 0), cores(0, 0), cores(8, 8)});
  job.processes[3].cpus = cores(1, 1);  // right on the second host
  const auto faults = judge_bindings(job);
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults.front().hosts, (Names{"h0", "h2"}));
}

TEST(BindingJudge, WhatIsNotKnownIsNoMistake) {
  JobDescription job = job_on(1, {4, cores(3, 3)});
  job.processes[2].cpus = {};
  EXPECT_EQ(rules_of(job), Names{});
  job = job_on(1, {4, cores(3, 3)});
  job.hardware.front().xml.clear();
  EXPECT_EQ(rules_of(job), Names{});
  EXPECT_EQ(rules_of({}), Names{});
  job.hardware.front().xml = "<topology";
  EXPECT_THROW(judge_bindings(job), Error);
}

/// Right bindings of a machine: a rank for each object of a type.
std::vector<CpuSet> one_for_each(hwloc_topology* topology, hwloc_obj_type_t type) {
  std::vector<CpuSet> sets;
  hwloc_obj* object = nullptr;
  while ((object = hwloc_get_next_obj_by_type(topology, type, object)) != nullptr) {
    if (hwloc_bitmap_iszero(object->cpuset) == 0) sets.push_back(cpus_of(object));
  }
  return sets;
}

TEST(BindingJudge, RightBindingsOfRealMachinesPass) {
  std::uint32_t tried = 0;
  for (const auto& entry : std::filesystem::directory_iterator(corpus() / "hwloc")) {
    if (entry.path().extension() != ".xml") continue;
    std::stringstream xml;
    xml << std::ifstream(entry.path()).rdbuf();
    const HwlocTopology topology = load_xml(xml.str(), entry.path().string());
    for (const hwloc_obj_type_t type :
         {HWLOC_OBJ_MACHINE, HWLOC_OBJ_PACKAGE, HWLOC_OBJ_NUMANODE, HWLOC_OBJ_CORE, HWLOC_OBJ_PU}) {
      JobDescription job;
      job.hardware.push_back({"digest", xml.str()});
      job.hosts.push_back({"host", 0});
      for (const CpuSet& set : one_for_each(topology.get(), type)) {
        const auto rank = static_cast<std::uint32_t>(job.processes.size());
        job.processes.push_back({rank, 0, set, static_cast<std::uint32_t>(set.size())});
      }
      for (const BindingFault& fault : judge_bindings(job)) {
        ADD_FAILURE() << entry.path() << ", " << hwloc_obj_type_string(type) << ": " << fault.what;
      }
      ++tried;
    }
  }
  EXPECT_GE(tried, 100U);
}

TEST(BindingJudge, WrongBindingsOfRealMachinesAreNamed) {
  for (const auto& entry : std::filesystem::directory_iterator(corpus() / "hwloc")) {
    if (entry.path().extension() != ".xml") continue;
    std::stringstream xml;
    xml << std::ifstream(entry.path()).rdbuf();
    const HwlocTopology topology = load_xml(xml.str(), entry.path().string());
    const auto cores = one_for_each(topology.get(), HWLOC_OBJ_CORE);
    if (cores.size() < 2) continue;
    JobDescription job;
    job.hardware.push_back({"digest", xml.str()});
    job.hosts.push_back({"host", 0});
    for (std::uint32_t rank = 0; rank < 2; ++rank) job.processes.push_back({rank, 0, cores[0]});
    EXPECT_EQ(rules_of(job).front(), "shared-core") << entry.path();
    job.processes = {{0, 0, cores[0], static_cast<std::uint32_t>(cores[0].size() + 1)}};
    EXPECT_EQ(rules_of(job), Names{"few-cores"}) << entry.path();
  }
}

}  // namespace
}  // namespace kith
