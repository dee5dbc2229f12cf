#include "profile/profile.hpp"

#include <gtest/gtest.h>

#include "unit/profile/profile_samples.hpp"

namespace kith {
namespace {

constexpr Weight mib = 1U << 20U;

RecordedRun run_of(TrafficMatrix traffic) {
  RecordedRun run;
  run.key = sample_profile().key;
  run.key.build = "new";
  run.traffic = std::move(traffic);
  run.now = 5000;
  return run;
}

TEST(Renewal, TheFirstRunIsTheProfile) {
  const RenewedProfile result = renewed(std::nullopt, run_of(ring(4, mib)));
  EXPECT_EQ(result.renewal, Renewal::first);
  EXPECT_EQ(result.similarity, std::nullopt);
  EXPECT_EQ(result.profile.history.runs, 1U);
  EXPECT_EQ(result.profile.history.reordered, 0U);
  EXPECT_EQ(result.profile.history.first_seen, 5000U);
  EXPECT_EQ(result.profile.history.last_seen, 5000U);
  EXPECT_TRUE(same(result.profile.traffic, ring(4, mib)));
}

TEST(Renewal, TheSameAgainChangesNothingButTheHistory) {
  for (const Weight odd : {mib, mib + 1}) {
    Profile found = sample_profile("app", odd);
    const RenewedProfile result = renewed(found, run_of(ring(4, odd)));
    EXPECT_EQ(result.renewal, Renewal::blended);
    EXPECT_DOUBLE_EQ(result.similarity.value_or(0), 1);
    EXPECT_TRUE(same(result.profile.traffic, ring(4, odd)));
    EXPECT_EQ(result.profile.history.runs, 4U);
    EXPECT_EQ(result.profile.history.renewed, 0U);
    EXPECT_EQ(result.profile.history.first_seen, 1000U);
    EXPECT_EQ(result.profile.history.last_seen, 5000U);
    EXPECT_EQ(result.profile.key.build, "new");
  }
}

TEST(Renewal, AlikeOnesAreBlended) {
  const RenewedProfile result = renewed(sample_profile("app", mib), run_of(ring(4, 3 * mib)));
  EXPECT_EQ(result.renewal, Renewal::blended);
  EXPECT_TRUE(same(result.profile.traffic, ring(4, 2 * mib)));
}

TEST(Renewal, AnotherPatternReplaces) {
  const RenewedProfile result = renewed(sample_profile(), run_of(ring(4, mib, 2)));
  EXPECT_EQ(result.renewal, Renewal::replaced);
  EXPECT_EQ(result.similarity, 0);
  EXPECT_TRUE(same(result.profile.traffic, ring(4, mib, 2)));
  EXPECT_EQ(result.profile.history.renewed, 1U);
  EXPECT_EQ(result.profile.history.runs, 4U);
}

TEST(Renewal, AnOrderThatDisappointsReplaces) {
  const auto with = [](double predicted, double measured) {
    RecordedRun run = run_of(ring(4, mib + 1));
    run.predicted = predicted;
    run.measured = measured;
    return renewed(sample_profile(), std::move(run));
  };
  EXPECT_EQ(with(0.6, 0.61).renewal, Renewal::blended);
  EXPECT_EQ(with(0.6, 0.79).renewal, Renewal::blended);
  EXPECT_EQ(with(0.6, 0.81).renewal, Renewal::replaced);
  EXPECT_EQ(with(0.6, 1.2).renewal, Renewal::replaced);
  EXPECT_EQ(with(0.6, 0.61).profile.history.reordered, 1U);
  EXPECT_EQ(with(0.6, 0.61).profile.history.measured, 0.61);
}

TEST(Renewal, KeepsSecondsOfOneLayoutAlone) {
  const auto run = [](double seconds, bool is_reordered, const char* layout) {
    RecordedRun one = run_of(ring(4, mib));
    one.seconds = seconds;
    one.is_reordered = is_reordered;
    one.layout = layout;
    return one;
  };
  const Profile first = renewed(std::nullopt, run(10, false, "by slot")).profile;
  const Profile second = renewed(first, run(4, true, "by slot")).profile;
  EXPECT_EQ(second.history.seconds, 10);
  EXPECT_EQ(second.history.seconds_reordered, 4);
  const Profile elsewhere = renewed(second, run(5, true, "by node")).profile;
  EXPECT_EQ(elsewhere.history.seconds, std::nullopt);
  EXPECT_EQ(elsewhere.history.seconds_reordered, 5);
  RecordedRun other = run(7, false, "by slot");
  other.traffic = ring(4, mib, 2);
  EXPECT_EQ(renewed(second, other).profile.history.seconds_reordered, std::nullopt);
}

TEST(Renewal, WhatIsWorthRecording) {
  EXPECT_TRUE(is_worth_recording(ring(4, mib / 4)));
  EXPECT_FALSE(is_worth_recording(ring(4, mib / 4 - 1)));
  EXPECT_FALSE(is_worth_recording(ring(1, 100 * mib)));  // to itself
  EXPECT_FALSE(is_worth_recording(TrafficMatrix()));
}

}  // namespace
}  // namespace kith
