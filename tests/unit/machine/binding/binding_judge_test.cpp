#include "machine/binding/binding_judge.hpp"

#include <gtest/gtest.h>

#include <algorithm>
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
  // Six ranks of eight threads have 16 cores: mpirun refuses to bind more.
  std::vector<CpuSet> six;
  for (std::uint32_t core = 0; core < 6; ++core) six.push_back(cores(2 * core, 2 * core));
  const auto faults_of_six = judge_bindings(job_on(1, six, 8));
  ASSERT_FALSE(faults_of_six.empty());
  EXPECT_NE(faults_of_six.front().mend.find("slot:PE=2 "), std::string::npos);
  EXPECT_NE(faults_of_six.front().mend.find("2 threads a rank, OMP_NUM_THREADS=2"),
            std::string::npos);
  // All cores are taken: there is no better binding, but there are too many threads.
  std::vector<CpuSet> all;
  for (std::uint32_t core = 0; core < 16; ++core) all.push_back(cores(core, core));
  EXPECT_EQ(rules_of(job_on(1, all, 2)), Names{});
  const auto crowded = judge_bindings(job_on(1, all, 8));
  ASSERT_EQ(crowded.size(), 1U);
  EXPECT_EQ(crowded.front().rule, "crowded-threads");
  EXPECT_NE(crowded.front().what.find("128 threads of "), std::string::npos);
  EXPECT_NE(crowded.front().what.find(" take turns on 32 processors"), std::string::npos);
  EXPECT_NE(crowded.front().mend.find("OMP_NUM_THREADS=2"), std::string::npos);
  EXPECT_EQ(rules_of(job_on(1, {2, cores(0, 15)}, 17)), Names{"crowded-threads"});
  EXPECT_EQ(rules_of(job_on(1, {2, cores(0, 15)}, 16)), Names{});
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

/// Each rank with its GPUs and the CPUs near them.
JobDescription with_gpus(JobDescription job, const std::vector<std::string>& gpus,
                         const std::vector<CpuSet>& near) {
  for (std::size_t i = 0; i < job.processes.size(); ++i) {
    job.processes[i].gpus = gpus[i % gpus.size()];
    job.processes[i].gpu_cpus = near[i % near.size()];
  }
  return job;
}

TEST(BindingJudge, AGpuAtTheOtherSocket) {
  const JobDescription job = job_on(1, {cores(0, 7), cores(8, 15)});
  const auto faults = judge_bindings(with_gpus(job, {"2", "0"}, {cores(8, 15), cores(0, 7)}));
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults.front().rule, "far-gpu");
  EXPECT_EQ(faults.front().what,
            "ranks 0 and 1 run far from their GPUs: rank 0 on CPUs 0-15, while its GPU 2 is near "
            "CPUs 16-31");
  EXPECT_NE(faults.front().mend.find("--gpu-bind=closest"), std::string::npos);
  EXPECT_EQ(rules_of(with_gpus(job, {"0", "2"}, {cores(0, 7), cores(8, 15)})), Names{});
  // Part of the rank's CPUs is near, or nobody knows.
  EXPECT_EQ(rules_of(with_gpus(job, {"0", "2"}, {cores(6, 9), cores(6, 9)})), Names{});
  EXPECT_EQ(rules_of(with_gpus(job, {"0", "2"}, {CpuSet{}})), Names{});
}

TEST(BindingJudge, EqualNumbersOfGpusMayBeAnyGpu) {
  const JobDescription job = job_on(1, {cores(0, 7), cores(8, 15)});
  EXPECT_EQ(rules_of(with_gpus(job, {"0"}, {cores(0, 7)})), Names{}) << "Slurm's containers";
  const JobDescription alone = job_on(2, {cores(8, 8)});
  EXPECT_EQ(rules_of(with_gpus(alone, {"0"}, {cores(0, 7)})), Names{"far-gpu"});
  EXPECT_EQ(rules_of(with_gpus(job_on(1, {cores(0, 15), cores(0, 15)}), {"0", "1"}, {cores(0, 3)})),
            Names{})
      << "ranks that may run everywhere";
}

/// MI250X nodes: four NUMA nodes of 16 cores; GPUs 0 to 7 hang on nodes 3, 3, 1, 1, 0, 0, 2, 2.
TEST(BindingJudge, GpusInAnotherOrderThanNumaNodes) {
  constexpr std::uint32_t numa_of_gpu[] = {3, 3, 1, 1, 0, 0, 2, 2};
  JobDescription job = job_on(1, {});
  job.hardware.front() = hardware_of("package:1 numa:4 l3:2 core:8 pu:1");
  const auto place = [&](std::uint32_t rank, std::uint32_t gpu) {
    JobProcess process{rank, 0, cpus(8 * rank, 8 * rank + 7), 0};
    process.gpus = std::to_string(gpu);
    process.gpu_cpus = cpus(16 * numa_of_gpu[gpu], 16 * numa_of_gpu[gpu] + 15);
    job.processes.push_back(process);
  };
  for (std::uint32_t rank = 0; rank < 8; ++rank) place(rank, rank);  // what most people write
  EXPECT_EQ(rules_of(job), Names{"far-gpu"});
  EXPECT_EQ(judge_bindings(job).front().ranks.size(), 6U) << "ranks 2 and 3 are right by chance";
  job.processes.clear();
  constexpr std::uint32_t right[] = {4, 5, 2, 3, 6, 7, 0, 1};
  for (std::uint32_t rank = 0; rank < 8; ++rank) place(rank, right[rank]);
  EXPECT_EQ(rules_of(job), Names{});
}

/// A rank on each of `of_each`, told to use a device near `near_nic`.
JobDescription with_nics(JobDescription job, const std::string& nics, const CpuSet& near_nic,
                         const std::string& others) {
  for (JobProcess& process : job.processes) {
    process.nics = nics;
    process.nic_cpus = near_nic;
    if (intersected(process.cpus, near_nic).empty()) process.near_nics = others;
  }
  return job;
}

TEST(BindingJudge, ANetworkDeviceAtTheOtherSocket) {
  const JobDescription job = job_on(1, {cores(0, 7), cores(8, 15)});
  const auto faults = judge_bindings(with_nics(job, "mlx5_0:1", cores(0, 7), "mlx5_1"));
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults.front().rule, "far-nic");
  EXPECT_EQ(
      faults.front().what,
      "rank 1 is told to use a far network device: rank 1 runs on CPUs 16-31, mlx5_0:1 is near "
      "CPUs 0-15, while mlx5_1 is near the rank");
  EXPECT_NE(faults.front().mend.find("UCX_NET_DEVICES"), std::string::npos);
  // The host has no other device there, or the ranks may run everywhere.
  EXPECT_EQ(rules_of(with_nics(job, "mlx5_0:1", cores(0, 7), "")), Names{});
  EXPECT_EQ(rules_of(with_nics(job_on(1, {cores(0, 15)}), "mlx5_0:1", cores(0, 7), "mlx5_1")),
            Names{});
}

std::vector<std::string> rules_of(const JobDescription& job,
                                  const std::vector<SharingThreads>& sharing) {
  std::vector<std::string> names;
  for (const BindingFault& fault : judge_bindings(job, sharing)) names.emplace_back(fault.rule);
  return names;
}

TEST(BindingJudge, ThreadsThatShareOverPackages) {
  const JobDescription everywhere = job_on(1, {cores(0, 15)});
  const std::vector<SharingThreads> sharing{{0, 8}};
  const auto faults = judge_bindings(everywhere, sharing);
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults.front().rule, "spread-threads");
  EXPECT_EQ(faults.front().what,
            "the 8 threads of rank 0 share memory and may run in 2 packages, unless OpenMP or Kith "
            "binds them, though 8 cores of one package would do");
  EXPECT_NE(faults.front().mend.find("PE=8"), std::string::npos);
  EXPECT_EQ(rules_of(everywhere, {}), Names{}) << "nobody knows what they share";
  EXPECT_EQ(rules_of(everywhere, {{0, 9}}), Names{}) << "more than a package has cores";
  EXPECT_EQ(rules_of(job_on(1, {cores(0, 7)}), sharing), Names{}) << "in one package";
  const std::vector<SharingThreads> of_three{{0, 8}, {1, 8}, {2, 8}};
  EXPECT_EQ(rules_of(job_on(1, {cores(0, 15), cores(0, 15), cores(0, 15)}), of_three), Names{})
      << "the third would have no room";
  EXPECT_EQ(rules_of(job_on(1, {cores(6, 9), cores(0, 3)}), {{0, 4}}), Names{"across-packages"})
      << "told once";
}

/// The CPUs of all ranks when MPI is finalised.
JobDescription ending_on(JobDescription job, const std::vector<CpuSet>& ends) {
  for (std::size_t i = 0; i < job.processes.size(); ++i) job.processes[i].end_cpus = ends[i];
  return job;
}

TEST(BindingJudge, TheProgramUndoesTheBinding) {
  const JobDescription job = job_on(1, {cores(0, 7), cores(8, 15)});
  const auto faults = judge_bindings(ending_on(job, {{}, cores(0, 15)}));
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults.front().rule, "undone");
  EXPECT_EQ(faults.front().what,
            "the program undid the binding of rank 1: rank 1 was bound to CPUs 16-31, and to CPUs "
            "0-31 when it finalised MPI");
  EXPECT_NE(faults.front().mend.find("OPENBLAS_MAIN_FREE=1"), std::string::npos);
  EXPECT_EQ(rules_of(ending_on(job, {cores(0, 0), cores(8, 8)})), Names{})
      << "OpenMP binds the first thread within them";
}

TEST(BindingJudge, TheProgramBindsItsRanksToOneCore) {
  const std::vector<CpuSet> free(4, cores(0, 15));
  const auto faults =
      judge_bindings(ending_on(job_on(1, free), std::vector<CpuSet>(4, cores(0, 0))));
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_EQ(faults.front().rule, "undone");
  EXPECT_EQ(faults.front().what,
            "the program bound its ranks itself: in the end ranks 0, 1, 2 and 3 share one core, "
            "while 15 cores of 16 have no rank");
  EXPECT_EQ(
      rules_of(ending_on(job_on(1, free), {cores(0, 3), cores(4, 7), cores(8, 11), cores(12, 15)})),
      Names{})
      << "a program that binds them well";
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

/// Right bindings of a machine: a rank for each object of a type. Of NUMA nodes of several kinds of
/// memory beside the same cores one is taken: ranks on both would share the cores.
std::vector<CpuSet> one_for_each(hwloc_topology* topology, hwloc_obj_type_t type) {
  std::vector<CpuSet> sets;
  hwloc_obj* object = nullptr;
  while ((object = hwloc_get_next_obj_by_type(topology, type, object)) != nullptr) {
    if (hwloc_bitmap_iszero(object->cpuset) != 0) continue;
    const CpuSet set = cpus_of(object);
    const bool is_taken = std::ranges::any_of(
        sets, [&](const CpuSet& other) { return !intersected(other, set).empty(); });
    if (!is_taken) sets.push_back(set);
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
