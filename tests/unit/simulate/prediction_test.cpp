#include "simulate/prediction.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "jobs.hpp"

namespace kith::simulate {
namespace {

PathPart computing(std::uint32_t rank, double seconds) {
  return {PathPart::Kind::compute, rank, 0, 0, 0, seconds, 0};
}
PathPart sending(std::uint32_t rank, std::uint32_t to, double seconds, double latency) {
  return {PathPart::Kind::message, rank, to, 100, 0, seconds, latency};
}

TEST(Prediction, SharesOfThePath) {
  SimulatedRun run;
  run.seconds = 10;
  run.path = {computing(0, 2), sending(0, 1, 3, 1), computing(1, 1), sending(1, 2, 4, 0.5)};
  const BoundBy shares = bound_by(run);
  EXPECT_NEAR(shares.compute, 0.3, 1e-12);
  EXPECT_NEAR(shares.network, 0.55, 1e-12);
  EXPECT_NEAR(shares.wait, 0.15, 1e-12);
  EXPECT_EQ(bound_by(SimulatedRun{}).compute, 0);
  run.path.clear();
  EXPECT_EQ(bound_by(run).network, 0);
}

TEST(Prediction, SumsOfThePath) {
  const std::vector<PathSum> sums =
      sums_of_path({computing(0, 1), sending(0, 1, 2, 0), computing(1, 1.5), computing(0, 4),
                    sending(0, 1, 1.5, 0), sending(1, 0, 0.5, 0)});
  ASSERT_EQ(sums.size(), 4U);
  EXPECT_EQ(sums[0].kind, PathPart::Kind::compute);
  EXPECT_EQ(sums[0].seconds, 5);
  EXPECT_EQ(sums[0].parts, 2U);
  EXPECT_EQ(sums[1].kind, PathPart::Kind::message);
  EXPECT_EQ(sums[1].to, 1U);
  EXPECT_EQ(sums[1].seconds, 3.5);
  EXPECT_EQ(sums[1].bytes, 200U);
  EXPECT_EQ(sums[2].rank, 1U);
  EXPECT_EQ(sums[3].seconds, 0.5);
  EXPECT_TRUE(sums_of_path({}).empty());
}

/// Whatever the simulation said, what was recorded lies within its error.
TEST(Prediction, ErrorBars) {
  JobReplay job;
  job.recorded_seconds = 10;
  const auto bar = [&](std::optional<double> simulated) { return error_bar(job, simulated); };
  EXPECT_EQ(bar(10).below, 0.03);
  EXPECT_EQ(bar(10).above, 0.03);
  EXPECT_EQ(bar(std::nullopt).below, 0.2);
  EXPECT_EQ(bar(std::nullopt).above, 0.2);
  for (const double simulated : {0.001, 4.0, 9.0, 9.9, 10.2, 13.0, 50.0}) {
    const ErrorBar error = bar(simulated);
    EXPECT_LE(simulated * (1 - error.below), 10 * (1 + 1e-9)) << simulated;
    EXPECT_GE(simulated * (1 + error.above), 10 * (1 - 1e-9)) << simulated;
    EXPECT_GE(std::min(error.below, error.above), 0.03) << simulated;
  }
  EXPECT_NEAR(bar(12.5).below, 0.2, 1e-12);
  EXPECT_NEAR(bar(8).above, 0.25, 1e-12);
  EXPECT_NEAR(bar(8).below, 0.1, 1e-12);
  job.computing_spread = 0.05;
  EXPECT_NEAR(bar(10).above, 0.1, 1e-12);
  job.computing_spread = 3;  // of a program that does something else in every pass
  EXPECT_NEAR(bar(10).above, 0.2, 1e-12);
}

/// Neighbours that exchange 200 kB in each of some steps, all on hosts of their own.
JobReplay exchanges(double computing_seconds) {
  constexpr std::uint32_t ranks = 4;
  JobMaker maker(ranks);
  for (int step = 0; step < 10; ++step) {
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t i = 0; i < ranks; ++i) {
      maker.compute(i, computing_seconds / 10);
      numbers.push_back(maker.message(i, (i + 1) % ranks, 200'000));
    }
    for (std::uint32_t i = 0; i < ranks; ++i) {
      const std::uint32_t from = numbers[(i + ranks - 1) % ranks];
      maker.post(i, Kind::receive, from).call(i, Kind::send, numbers[i]);
      maker.call(i, Kind::wait_receive, from);
    }
  }
  return maker.job();
}

/// Four ranks compute a second each on two processors: 2 s.
TEST(Prediction, WhatTurnsCostIsFound) {
  TestBed bed("tree:4x1");
  JobMaker maker(4);
  for (std::uint32_t rank = 0; rank < 4; ++rank) maker.compute(rank, 1);
  JobReplay& job = maker.job();
  const Mapping present = identity_mapping(4, *bed.machine, 1);
  const auto fitted = [&](double recorded, double processors) {
    job.recorded_seconds = recorded;
    bed.options.processors = processors;
    return fitted_computing(job, present, *bed.machine, bed.network, bed.options,
                            bed.run(job).seconds);
  };
  ASSERT_TRUE(fitted(2.4, 2));
  EXPECT_NEAR(*fitted(2.4, 2), 1.2, 0.01);
  EXPECT_FALSE(fitted(2.01, 2));  // close enough
  EXPECT_FALSE(fitted(1.5, 2));   // it took less
  EXPECT_FALSE(fitted(4, 2));     // something else is missing
  EXPECT_FALSE(fitted(1.2, 4));   // nobody waits for a turn
  EXPECT_FALSE(fitted(1.2, 0));
  EXPECT_NEAR(error_bar(job, 1.0, Fitted::computing).above, 1 / 12.0, 1e-9);  // half of the miss
}

TEST(Prediction, ABandwidthIsFound) {
  TestBed bed("tree:4x1");
  const std::string level = bed.network.levels.begin()->first;
  JobReplay job = exchanges(5e-3);
  const Mapping present = identity_mapping(4, *bed.machine, 1);
  NetworkOptions unknown;
  unknown.levels[level].latency_us = 10;
  for (const double bandwidth : {2.5, 40.0, 117.0}) {
    bed.network.levels[level].megabytes_per_s = bandwidth;
    job.recorded_seconds = bed.run(job).seconds;
    const auto fitted = fitted_bandwidth(job, present, *bed.machine, unknown, bed.options);
    ASSERT_TRUE(fitted);
    EXPECT_NEAR(*fitted, bandwidth, 0.015 * bandwidth);
  }
  // No slower than on the fastest network, or slower than on any: something else takes the time.
  for (const double seconds : {4e-3, 1e6}) {
    job.recorded_seconds = seconds;
    EXPECT_FALSE(fitted_bandwidth(job, present, *bed.machine, unknown, bed.options));
  }
}

TEST(Prediction, WhatBoundsARun) {
  TestBed bed("tree:4x1");
  const auto text = [&](const JobReplay& job) {
    const SimulatedRun run = bed.run(job);
    return bound_text(run, job, *bed.links);
  };
  EXPECT_TRUE(text(exchanges(1)).starts_with("computing and calls (9")) << text(exchanges(1));
  EXPECT_TRUE(text(exchanges(0)).starts_with("node0 up (9")) << text(exchanges(0));
  JobReplay mixed = exchanges(14e-3);  // and nearly as long for the messages
  for (Action& action : mixed.processes[2].actions) {
    if (action.kind == Kind::compute) action.seconds *= 1.6;
  }
  EXPECT_TRUE(text(mixed).starts_with("computing and calls (")) << text(mixed);
  JobMaker late(4);
  for (std::uint32_t rank = 0; rank < 4; ++rank) late.compute(rank, rank == 2 ? 3 : 1);
  EXPECT_EQ(text(late.job()), "rank 2, which computes 2.0 times the mean");
  late.job().dilation = 2;
  EXPECT_TRUE(text(late.job()).starts_with("rank 2, ")) << "more than turns explain";
  JobMaker turns(4);
  for (std::uint32_t rank = 0; rank < 4; ++rank) turns.compute(rank, rank == 2 ? 0.03 : 0.01);
  EXPECT_EQ(text(turns.job()), "rank 2, which computes 2.0 times the mean");
  turns.job().dilation = 2;
  EXPECT_EQ(text(turns.job()), "computing and calls (100%)");
  SimulatedRun crowded = bed.run(turns.job());
  crowded.dilation = 2;
  EXPECT_EQ(bound_text(crowded, turns.job(), *bed.links),
            "computing and calls in turns on shared processors (100%)");
  late.job().dilation = 0;
  late.job().processes[2].actions[0] = Action::compute(1);
  for (Process& process : late.job().processes) {
    process.seen_asleep = 1;
    process.actions[0].set_asleep(process.rank == 1 ? 8 : 2);
  }
  EXPECT_EQ(text(late.job()), "rank 1, which sleeps or has no processor 2.0 times the mean");
  JobMaker tail(4);  // sleeps behind its last operation
  for (std::uint32_t rank = 0; rank < 4; ++rank) tail.compute(rank, rank == 1 ? 4 : 1);
  tail.job().processes[1].after_last = 3;
  EXPECT_EQ(text(tail.job()), "rank 1, which computes 2.3 times the mean");
  tail.job().processes[1].asleep_after_last = 3;
  EXPECT_EQ(text(tail.job()), "rank 1, which sleeps or has no processor 2.3 times the mean");
  late.job().processes[1].actions[0].set_asleep(2);
  EXPECT_EQ(text(late.job()), "sleeping and calls (100%)");
  EXPECT_EQ(mostly_asleep(late.job()), std::vector<bool>(4, true));
  JobMaker far(4);
  for (int i = 0; i < 5; ++i) far.pass(0, 1, 8).pass(1, 0, 8);
  EXPECT_TRUE(text(far.job()).starts_with("latency (9")) << text(far.job());
  EXPECT_EQ(text(JobMaker(4).job()), "nothing");
}

}  // namespace
}  // namespace kith::simulate
