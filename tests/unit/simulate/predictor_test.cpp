#include "simulate/predictor.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>

#include "jobs.hpp"
#include "kith/error.hpp"

namespace kith::simulate {
namespace {

/// Rank 0 computes for a second and then sends rank 1 a hundred megabytes: 2 s at test_bandwidth.
JobReplay send_after_a_second() {
  JobMaker maker(2);
  maker.compute(0, 1).pass(0, 1, 100'000'000);
  maker.job().recorded_seconds = 2;
  return maker.job();
}

PredictorOptions options_of(const TestBed& bed) {
  return {bed.network, bed.options, Sharing::fair, {}};
}

SimulatedRun run_of(double seconds) {
  SimulatedRun run;
  run.seconds = seconds;
  return run;
}

TEST(Predictor, NobodyGoesBySecondsThatAreTwiceOthers) {
  EXPECT_FALSE(is_hopeless(-0.49));
  EXPECT_FALSE(is_hopeless(0.99));
  EXPECT_TRUE(is_hopeless(-0.51));
  EXPECT_TRUE(is_hopeless(1.01));
}

TEST(Predictor, ComparesWithTheClock) {
  const TestBed bed("tree:2x1");
  const Mapping recorded = identity_mapping(2, *bed.machine, 1);
  Predictor predictor(send_after_a_second(), *bed.machine, recorded, options_of(bed));
  ASSERT_TRUE(predictor.simulated_seconds());
  EXPECT_NEAR(*predictor.simulated_seconds(), 2, 0.01);
  EXPECT_NEAR(*predictor.miss(), 0, 0.01);
  EXPECT_FALSE(predictor.fitted_bandwidth());
  const Seconds expected = predictor.expected(predictor.run(recorded));
  EXPECT_LT(expected.low, 2);
  EXPECT_GT(expected.high, 2);
}

TEST(Predictor, OnAnotherMachineNothingIsCompared) {
  const TestBed bed("tree:2x1");
  Predictor predictor(send_after_a_second(), *bed.machine, std::nullopt, options_of(bed));
  EXPECT_FALSE(predictor.simulated_seconds());
  EXPECT_FALSE(predictor.miss());
  const Seconds expected = predictor.expected(run_of(10));
  EXPECT_NEAR(expected.low, 8, 1e-9);
  EXPECT_NEAR(expected.high, 12, 1e-9);
}

TEST(Predictor, WhatWasMissedThereIsInTheBars) {
  const TestBed bed("tree:2x1");
  PredictorOptions options = options_of(bed);
  options.simulated_there = 0.5;  // of 2 s
  Predictor predictor(send_after_a_second(), *bed.machine, std::nullopt, options);
  EXPECT_FALSE(predictor.simulated_seconds());
  EXPECT_NEAR(*predictor.miss(), -0.75, 1e-9);
  EXPECT_NEAR(predictor.expected(run_of(10)).high, 40, 1e-9);
  options.simulated_there = 2;
  Predictor met(send_after_a_second(), *bed.machine, std::nullopt, options);
  EXPECT_NEAR(met.expected(run_of(10)).low, 8, 1e-9);  // the other machine is not known better
  EXPECT_NEAR(met.expected(run_of(10)).high, 12, 1e-9);
}

TEST(Predictor, MovesToAnotherMachine) {
  const TestBed bed("tree:2x1");
  const Mapping mapping = identity_mapping(2, *bed.machine, 1);
  Predictor predictor(send_after_a_second(), *bed.machine, mapping, options_of(bed));
  NetworkOptions faster = predictor.network();
  faster.bandwidth_factor = 2;
  predictor.move_to(*bed.machine, faster, 0.5);
  EXPECT_NEAR(predictor.run(mapping).seconds, 1, 0.01);
}

TEST(Predictor, FitsWhatTurnsOnAProcessorCost) {
  TestBed bed("tree:2x1");
  bed.options.processors = 1;
  JobReplay job = JobMaker(2).compute(0, 1).compute(1, 1).job();
  job.recorded_seconds = 2.5;
  const Mapping recorded = identity_mapping(2, *bed.machine, 1);
  Predictor predictor(job, *bed.machine, recorded, options_of(bed));
  EXPECT_NEAR(*predictor.simulated_seconds(), 2, 1e-9);  // before
  ASSERT_TRUE(predictor.fitted_computing());
  EXPECT_NEAR(predictor.run(recorded).seconds, 2.5, 0.03);
  const Seconds expected = predictor.expected(run_of(2.5));
  EXPECT_NEAR(expected.low, 2.25, 1e-9);
  EXPECT_NEAR(expected.high, 2.75, 1e-9);
  const TestBed larger("tree:4x1");  // no machine for what was fitted to this one's turns
  predictor.move_to(*larger.machine, predictor.network(), 1);
  EXPECT_FALSE(predictor.fitted_computing());
  EXPECT_NEAR(predictor.run(recorded).seconds, 2, 1e-6);
}

/// While rank 0 computes for a second, rank 1 waits on the same processor.
TEST(Predictor, FindsTheTurnsOfThoseThatWait) {
  TestBed bed("tree:2x1");
  bed.options.processors = 1;
  const Mapping recorded = identity_mapping(2, *bed.machine, 1);
  for (const auto& [dilation, turn] :
       {std::pair{0.0, 1.0}, {2, 1}, {1.9, 1}, {1.25, 0.25}, {1, 0}}) {
    JobMaker maker(2);
    maker.compute(0, 1).pass(0, 1, 1);
    maker.job().dilation = dilation;
    maker.job().recorded_seconds = 1;
    Predictor predictor(maker.job(), *bed.machine, recorded, options_of(bed));
    EXPECT_NEAR(predictor.turn_of_waiting(), turn, 1e-3) << dilation;
    EXPECT_NEAR(*predictor.simulated_seconds(), 1 + turn, 1e-3) << dilation;
  }
}

TEST(Predictor, FitsANetworkOfUnknownSpeed) {
  const TestBed bed("tree:2x1");
  const Mapping mapping = identity_mapping(2, *bed.machine, 1);
  PredictorOptions unknown;
  unknown.simulation = bed.options;
  const Predictor predictor(send_after_a_second(), *bed.machine, mapping, unknown);
  ASSERT_TRUE(predictor.fitted_bandwidth());
  EXPECT_NEAR(*predictor.simulated_seconds(), 2, 0.1);
  EXPECT_GT(seconds_to_predict(400'000, 2, *bed.machine),
            seconds_to_predict(400'000, 2, *parse_machine("tree:1x2")));
}

TEST(Predictor, FitsNoNetworkWhereRanksWaitedForProcessors) {
  const TestBed bed("tree:2x1");
  const Mapping mapping = identity_mapping(2, *bed.machine, 1);
  PredictorOptions unknown;
  unknown.simulation = bed.options;
  unknown.simulation.crowded = {{0, "h0", 4, 2}};
  EXPECT_FALSE(Predictor(send_after_a_second(), *bed.machine, mapping, unknown).fitted_bandwidth());
}

TEST(Predictor, WantsAllRanksAndMuchOfTheRun) {
  const auto refusal = [](const JobReplay& job, std::uint32_t ranks) -> std::string {
    try {
      check_whole(job, "t.kith", ranks);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  JobReplay job = send_after_a_second();
  EXPECT_EQ(refusal(job, 2), "");
  EXPECT_NE(refusal(job, 3).find("a timeline of 3 ranks"), std::string::npos);
  job.covered = 0.5;
  EXPECT_EQ(refusal(job, 2), "");
  job.covered = 0.01;
  EXPECT_NE(refusal(job, 2).find("one of the first 1%"), std::string::npos);
  job.missing_ranks = 1;
  EXPECT_NE(refusal(job, 2).find("1 ranks without one"), std::string::npos);
}

TEST(Predictor, WhereEachRankWas) {
  JobDescription job;
  job.hosts = {{"a", 0}, {"b", 0}};
  job.hardware.emplace_back();
  job.processes = {{1, 0}, {0, 1}};
  const auto machine = parse_machine("job", &job);
  const auto recorded = recorded_order(job, 2, *machine);
  ASSERT_TRUE(recorded);
  EXPECT_EQ((*recorded)[Rank(0)], Slot(1));
  EXPECT_EQ((*recorded)[Rank(1)], Slot(0));
  EXPECT_FALSE(recorded_order(job, 3, *machine));
  EXPECT_FALSE(recorded_order(job, 2, *parse_machine("tree:2")));
}

TEST(Predictor, OrdersThatSaveNoTimeAreTold) {
  const auto of = [](double seconds) { return Seconds{seconds, 0.9 * seconds, 1.1 * seconds}; };
  EXPECT_TRUE(saves_no_time(of(1), of(1), 0.0));
  EXPECT_FALSE(saves_no_time(of(0.99), of(1), 0.0));
  // A run that was missed, or not compared, speaks only against what is clearly slower.
  for (const std::optional<double> miss : {std::optional(0.3), std::optional<double>()}) {
    EXPECT_FALSE(saves_no_time(of(1.01), of(1), miss));
    EXPECT_TRUE(saves_no_time(of(1.05), of(1), miss));
  }
  EXPECT_TRUE(is_difference_clear(of(0.99), of(1), 0.0));
  EXPECT_FALSE(is_difference_clear(of(0.99), of(1), 0.3));
  EXPECT_TRUE(is_difference_clear(of(0.5), of(1), -0.3));
}

}  // namespace
}  // namespace kith::simulate
