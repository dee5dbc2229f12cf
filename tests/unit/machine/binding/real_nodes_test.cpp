// The judge of bindings on nodes that clusters have: mistakes that people make there, and right
// bindings. The machines are described after hwloc's XML of real ones (EPYC 7551, 7402 and 7A53)
// and after NVIDIA's DGX A100 guide.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "machine/binding/binding_judge.hpp"
#include "machine/hwloc/hwloc_topology.hpp"

namespace kith {
namespace {

/// A node whose cores have two hardware threads each: CPUs c and c + cores.
struct Node {
  std::uint32_t packages;
  std::uint32_t numas;  ///< of a package
  std::uint32_t cores_of_numa;

  std::uint32_t cores() const { return packages * numas * cores_of_numa; }

  JobDescription job() const {
    std::string numbers;
    for (std::uint32_t core = 0; core < cores(); ++core) {
      numbers += fmt::format("{}{},{}", core == 0 ? "" : ",", core, core + cores());
    }
    const std::string text = fmt::format("package:{} numa:{} core:{} pu:2(indexes={})", packages,
                                         numas, cores_of_numa, numbers);
    JobDescription job;
    job.hardware.push_back({"digest", xml_text(load_synthetic(text, "test").get())});
    job.hosts.push_back({"node", 0});
    return job;
  }

  /// Cores first .. first + count - 1, both hardware threads.
  CpuSet of_cores(std::uint32_t first, std::uint32_t count) const {
    CpuSet cpus;
    cpus.add(first, first + count - 1);
    cpus.add(cores() + first, cores() + first + count - 1);
    return cpus;
  }
  CpuSet of_numa(std::uint32_t numa) const { return of_cores(numa * cores_of_numa, cores_of_numa); }
  CpuSet of_all() const { return of_cores(0, cores()); }
};

constexpr Node epyc_nps4{2, 4, 8};        // EPYC 7551
constexpr Node two_socket_smt{2, 1, 24};  // EPYC 7402
constexpr Node mi250x{1, 4, 16};          // EPYC 7A53 with four MI250X: eight GPUs
constexpr Node dgx_a100{2, 4, 16};        // EPYC 7742 with eight A100

constexpr std::uint32_t numa_of_mi250x_gpu[] = {3, 3, 1, 1, 0, 0, 2, 2};
constexpr std::uint32_t numa_of_a100_gpu[] = {3, 3, 1, 1, 7, 7, 5, 5};

JobProcess& add(JobDescription& job, const CpuSet& cpus, std::uint32_t threads = 0) {
  const auto rank = static_cast<std::uint32_t>(job.processes.size());
  job.processes.push_back({rank, 0, cpus, threads});
  return job.processes.back();
}

void add_gpu(JobDescription& job, const CpuSet& cpus, std::uint32_t gpu, const CpuSet& near) {
  JobProcess& process = add(job, cpus);
  process.gpus = std::to_string(gpu);
  process.gpu_cpus = near;
}

std::string rules_of(const JobDescription& job, const std::vector<SharingThreads>& sharing = {}) {
  std::string names;
  for (const BindingFault& fault : judge_bindings(job, sharing)) {
    EXPECT_FALSE(fault.what.empty() || fault.mend.empty()) << fault.rule;
    names += (names.empty() ? "" : " ") + std::string(fault.rule);
  }
  return names;
}

TEST(RealNodes, MistakesOnAnEpycInNps4) {
  JobDescription one_core = epyc_nps4.job();
  for (int rank = 0; rank < 8; ++rank) add(one_core, epyc_nps4.of_cores(0, 1));
  EXPECT_EQ(rules_of(one_core), "shared-core idle-packages");

  JobDescription core_for_eight_threads = epyc_nps4.job();
  for (std::uint32_t rank = 0; rank < 8; ++rank) {
    add(core_for_eight_threads, epyc_nps4.of_cores(8 * rank, 1), 8);
  }
  EXPECT_EQ(rules_of(core_for_eight_threads), "few-cores");

  JobDescription shifted = epyc_nps4.job();
  for (std::uint32_t rank = 0; rank < 3; ++rank) add(shifted, epyc_nps4.of_cores(4 + 8 * rank, 8));
  add(shifted, epyc_nps4.of_numa(5));
  EXPECT_EQ(rules_of(shifted), "across-numa");

  JobDescription over_both = epyc_nps4.job();
  add(over_both, epyc_nps4.of_cores(24, 16));
  EXPECT_EQ(rules_of(over_both), "across-packages");

  JobDescription packed = epyc_nps4.job();
  for (std::uint32_t rank = 0; rank < 8; ++rank) add(packed, epyc_nps4.of_cores(4 * rank, 4));
  EXPECT_EQ(rules_of(packed), "idle-packages");
}

TEST(RealNodes, MistakesOnTwoSocketsWithHardwareThreads) {
  const Node& node = two_socket_smt;
  JobDescription siblings = node.job();
  add(siblings, {0});
  add(siblings, {48});
  EXPECT_EQ(rules_of(siblings), "shared-core idle-packages");

  JobDescription half_a_socket = node.job();
  CpuSet first_half;
  first_half.add(0, 11);
  add(half_a_socket, first_half, 24);
  EXPECT_EQ(rules_of(half_a_socket), "few-cores");

  JobDescription unbound = node.job();
  add(unbound, node.of_all());
  EXPECT_EQ(rules_of(unbound, {{0, 24}}), "spread-threads");

  JobDescription moved = node.job();
  add(moved, node.of_numa(0));
  add(moved, node.of_numa(1)).end_cpus = {0};  // a library's own binding
  EXPECT_EQ(rules_of(moved), "undone");
}

TEST(RealNodes, MistakesWithGpusAndNetworkDevices) {
  JobDescription rank_is_gpu = mi250x.job();
  for (std::uint32_t rank = 0; rank < 8; ++rank) {
    add_gpu(rank_is_gpu, mi250x.of_cores(8 * rank, 8), rank,
            mi250x.of_numa(numa_of_mi250x_gpu[rank]));
  }
  EXPECT_EQ(rules_of(rank_is_gpu), "far-gpu");

  JobDescription one_device = mi250x.job();
  for (std::uint32_t rank = 0; rank < 4; ++rank) {
    JobProcess& process = add(one_device, mi250x.of_numa(rank));
    process.nics = "cxi0";  // that of NUMA node 3
    process.nic_cpus = mi250x.of_numa(3);
    constexpr const char* near[] = {"cxi2", "cxi1", "cxi3", ""};
    process.near_nics = near[rank];
  }
  EXPECT_EQ(rules_of(one_device), "far-nic");
  EXPECT_EQ(judge_bindings(one_device).front().ranks, (std::vector<std::uint32_t>{0, 1, 2}));

  JobDescription a100 = dgx_a100.job();
  for (std::uint32_t rank = 0; rank < 8; ++rank) {
    add_gpu(a100, dgx_a100.of_numa(rank), rank, dgx_a100.of_numa(numa_of_a100_gpu[rank]));
  }
  EXPECT_EQ(rules_of(a100), "far-gpu");
}

TEST(RealNodes, RightBindings) {
  for (const Node& node : {epyc_nps4, two_socket_smt, mi250x, dgx_a100}) {
    // Ranks of equal parts: one for all to one for each core, their threads on all their cores.
    for (std::uint32_t ranks = 1; ranks <= node.cores(); ranks *= 2) {
      if (node.cores() % ranks != 0) continue;
      const std::uint32_t width = node.cores() / ranks;
      JobDescription job = node.job();
      std::vector<SharingThreads> sharing;
      for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        add(job, node.of_cores(rank * width, width), width);
        sharing.push_back({rank, width});
      }
      EXPECT_EQ(rules_of(job, sharing), "") << ranks << " ranks";
    }
  }
  JobDescription mi = mi250x.job();
  constexpr std::uint32_t gpu_of_rank[] = {4, 5, 2, 3, 6, 7, 0, 1};
  for (std::uint32_t rank = 0; rank < 8; ++rank) {
    const std::uint32_t gpu = gpu_of_rank[rank];
    add_gpu(mi, mi250x.of_cores(8 * rank, 8), gpu, mi250x.of_numa(numa_of_mi250x_gpu[gpu]));
  }
  EXPECT_EQ(rules_of(mi), "");
  JobDescription a100 = dgx_a100.job();
  for (std::uint32_t rank = 0; rank < 8; ++rank) {
    const std::uint32_t numa = numa_of_a100_gpu[rank];
    add_gpu(a100, dgx_a100.of_cores(16 * numa + 8 * (rank % 2), 8), rank, dgx_a100.of_numa(numa));
  }
  EXPECT_EQ(rules_of(a100), "");
}

}  // namespace
}  // namespace kith
