#include "simulate/crowding.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "jobs.hpp"

namespace kith::simulate {
namespace {

/// `ranks` ranks on each of two hosts that may run on these CPUs.
JobDescription two_hosts(std::uint32_t ranks, const CpuSet& cpus) {
  JobDescription job;
  job.hosts = {{.name = "h0"}, {.name = "h1"}};
  job.hardware = {{}};
  for (std::uint32_t j = 0; j < 2 * ranks; ++j) {
    job.processes.push_back({.rank = j, .host = j / ranks, .cpus = cpus});
  }
  return job;
}

TEST(Crowding, IsMoreRanksThanProcessors) {
  const JobDescription job = two_hosts(3, CpuSet{0, 1});
  const auto machine = parse_machine("job", &job);
  const auto crowded = crowded_hosts(job, *machine);
  ASSERT_EQ(crowded.size(), 2U);
  EXPECT_EQ(crowded[0].name, "h0");
  EXPECT_EQ(crowded[0].ranks, 3U);
  EXPECT_EQ(crowded[0].processors, 2U);
  EXPECT_NE(crowded[0].node, crowded[1].node);
  EXPECT_EQ(crowding_text(crowded),
            "3 ranks shared 2 processors of h0, and likewise on 1 more host");
}

TEST(Crowding, IsNotWhereEachRankHasAProcessorOrNobodyKnows) {
  for (const CpuSet& cpus : {CpuSet{0, 1}, CpuSet{}}) {
    const std::uint32_t ranks = cpus.empty() ? 3 : 2;
    const JobDescription job = two_hosts(ranks, cpus);
    EXPECT_TRUE(crowded_hosts(job, *parse_machine("job", &job)).empty());
  }
  const JobDescription job = two_hosts(3, CpuSet{0, 1});
  EXPECT_TRUE(crowded_hosts(job, *parse_machine("tree:2x3")).empty());  // another machine
}

TEST(Crowding, LeavesNoSecondsToCompareWith) {
  const JobDescription crowded = two_hosts(3, CpuSet{0, 1});
  const JobDescription roomy = two_hosts(2, CpuSet{0, 1});
  EXPECT_FALSE(comparable_seconds(&crowded, 5.0));
  EXPECT_EQ(comparable_seconds(&roomy, 5.0), 5.0);
  EXPECT_EQ(comparable_seconds(nullptr, 5.0), 5.0);
}

TEST(Crowding, MakesComputingTakeTurns) {
  const JobDescription job = two_hosts(2, CpuSet{0});
  const auto machine = parse_machine("job", &job);
  TestBed bed("tree:2x2");
  const JobReplay replay = JobMaker(4).compute(0, 1).compute(1, 1).compute(2, 1).job();
  const Mapping mapping = identity_mapping(4, *machine, 1);
  const auto seconds = [&] {
    MachineLinks links(*machine, {});
    return simulate(replay, mapping, *machine, links, bed.options).seconds;
  };
  EXPECT_NEAR(seconds(), 1, 1e-9);
  bed.options.crowded = crowded_hosts(job, *machine);
  EXPECT_NEAR(seconds(), 2, 1e-9);
}

TEST(Crowding, OfRanksIsThatOfTheirHosts) {
  JobDescription job = two_hosts(3, CpuSet{0, 1});
  for (std::uint32_t j = 3; j < 6; ++j) job.processes[j].cpus = CpuSet{0, 1, 2};
  std::swap(job.processes[0].rank, job.processes[5].rank);
  const auto machine = parse_machine("job", &job);
  EXPECT_EQ(ranks_per_processor(crowded_hosts(job, *machine), job, *machine),
            (std::vector<double>{1, 1.5, 1.5, 1, 1, 1.5}));
  EXPECT_TRUE(ranks_per_processor({}, job, *machine).empty());
}

TEST(Crowding, WhoSleepsLeavesItsProcessorToOthers) {
  const JobDescription job = two_hosts(2, CpuSet{0});
  const auto machine = parse_machine("job", &job);
  TestBed bed("tree:2x2");
  bed.options.crowded = crowded_hosts(job, *machine);
  JobReplay replay = JobMaker(4).compute(0, 1).compute(1, 1).compute(2, 1).job();
  for (std::uint32_t process : {0U, 1U}) replay.processes[process].asleep = 3;
  const Mapping mapping = identity_mapping(4, *machine, 1);
  const auto seconds = [&] {
    MachineLinks links(*machine, {});
    return simulate(replay, mapping, *machine, links, bed.options).seconds;
  };
  EXPECT_NEAR(seconds(), 2 + 3, 1e-9);  // turns, then both sleep at once
  bed.options.compute_factor = 10;
  EXPECT_NEAR(seconds(), 20 + 3, 1e-9);  // faster processors make nobody sleep less
  replay.processes[0].after_last = 1;
  replay.processes[1].after_last = 0.5;
  EXPECT_NEAR(seconds(), 20 + 1.5, 1e-9);  // what follows the last operation is wall time already
}

}  // namespace
}  // namespace kith::simulate
