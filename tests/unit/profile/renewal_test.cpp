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

RecordedRun timed(double seconds, bool is_reordered, const char* layout = "by slot") {
  RecordedRun run = run_of(ring(4, mib));
  run.seconds = seconds;
  run.is_reordered = is_reordered;
  run.layout = layout;
  return run;
}

TEST(Renewal, KeepsSecondsOfOneLayoutAlone) {
  const Profile first = renewed(std::nullopt, timed(10, false)).profile;
  const Profile second = renewed(first, timed(4, true)).profile;
  EXPECT_EQ(second.history.seconds, 10);
  EXPECT_EQ(second.history.seconds_reordered, 4);
  const Profile elsewhere = renewed(second, timed(5, true, "by node")).profile;
  EXPECT_EQ(elsewhere.history.seconds, std::nullopt);
  EXPECT_EQ(elsewhere.history.seconds_reordered, 5);
  // Named machines: the launcher's order is the same, another one is not.
  const Profile named = renewed(second, timed(5, true, "by slot/torus")).profile;
  EXPECT_EQ(named.history.seconds, 10);
  EXPECT_EQ(named.history.seconds_reordered, 5);
  const Profile unnamed = renewed(named, timed(9, false)).profile;
  EXPECT_EQ(unnamed.history.seconds, 9);
  EXPECT_EQ(unnamed.history.seconds_reordered, std::nullopt);
  RecordedRun other = timed(7, false);
  other.traffic = ring(4, mib, 2);
  EXPECT_EQ(renewed(second, other).profile.history.seconds_reordered, std::nullopt);
  RecordedRun rebuilt = timed(7, false);
  rebuilt.key.build = "another";
  EXPECT_EQ(renewed(second, rebuilt).profile.history.seconds_reordered, std::nullopt);
}

TEST(Renewal, ComparesNoSecondsOfRunsThatDidMoreOrLess) {
  const Profile first = renewed(std::nullopt, timed(10, false)).profile;
  RecordedRun longer = timed(300, true);
  longer.traffic = ring(4, 30 * mib);
  const RenewedProfile second = renewed(first, longer);
  EXPECT_EQ(second.renewal, Renewal::blended);
  EXPECT_EQ(second.profile.history.seconds, 10);
  EXPECT_EQ(second.profile.history.seconds_reordered, 300);
  EXPECT_FALSE(has_comparable_seconds(second.profile.history));
  EXPECT_EQ(runs_to_wait(second.profile.history), 0U);
  // What was measured of a shorter run holds for the next one as short.
  const Profile third = renewed(second.profile, timed(20, true)).profile;
  EXPECT_TRUE(has_comparable_seconds(third.history));
  EXPECT_EQ(third.history.seconds, 10);
  EXPECT_EQ(runs_to_wait(third.history), 2U);
  RecordedRun as_long = timed(290, false);
  as_long.traffic = ring(4, 29 * mib);
  EXPECT_EQ(renewed(second.profile, as_long).profile.history.seconds_reordered, 300);
}

TEST(Renewal, ASlowOrderWaitsLongerEachTime) {
  Profile profile = renewed(std::nullopt, timed(10, false)).profile;
  const auto then = [&](double seconds, bool is_reordered) {
    profile = renewed(profile, timed(seconds, is_reordered)).profile;
    return runs_to_wait(profile.history);
  };
  EXPECT_EQ(then(10.4, true), 0U);  // as two runs of one order may differ
  EXPECT_EQ(then(10.6, true), 2U);
  EXPECT_EQ(then(10, false), 1U);
  EXPECT_EQ(then(10, false), 0U);
  EXPECT_EQ(then(11, true), 8U);
  for (std::uint64_t left = 8; left-- > 0;) EXPECT_EQ(then(10, false), left);
  EXPECT_EQ(then(11, true), 32U);
  EXPECT_EQ(then(12, false), 0U);  // the launcher's order is no faster now
  EXPECT_EQ(then(10, false), 30U);
  profile.history.waited = 32;
  EXPECT_EQ(then(9, true), 0U);
  EXPECT_EQ(then(20, true), 2U);  // the first of its row
  EXPECT_EQ(renewed(profile, timed(10, false, "by node")).profile.history.slower, 0U);
}

TEST(Renewal, SlownessCountsFromHalfASecondAndATwentieth) {
  ProfileHistory history;
  EXPECT_FALSE(was_slower(history));
  history.seconds = 2;
  EXPECT_FALSE(was_slower(history));
  history.seconds_reordered = 2.4;
  EXPECT_FALSE(was_slower(history));
  history.seconds_reordered = 2.6;
  EXPECT_TRUE(was_slower(history));
  history.seconds = 100;
  history.seconds_reordered = 104;
  EXPECT_FALSE(was_slower(history));
  history.seconds_reordered = 106;
  EXPECT_TRUE(was_slower(history));
}

TEST(Renewal, WhatIsWorthRecording) {
  EXPECT_TRUE(is_worth_recording(ring(4, mib / 4)));
  EXPECT_FALSE(is_worth_recording(ring(4, mib / 4 - 1)));
  EXPECT_FALSE(is_worth_recording(ring(1, 100 * mib)));  // to itself
  EXPECT_FALSE(is_worth_recording(TrafficMatrix()));
}

TEST(Renewal, TheSameWorkWithOtherArguments) {
  const TrafficMatrix known = ring(8, 1000000);
  EXPECT_TRUE(is_same_work(known, ring(8, 2000000), {0})) << "the same pattern";
  EXPECT_FALSE(is_same_work(known, ring(8, 1000000, 3), {0}));
  EXPECT_FALSE(is_same_work(known, ring(8, 2000000), {0, 1})) << "several: as many bytes, too";
  EXPECT_TRUE(is_same_work(known, ring(8, 1001000), {0, 1}));
}

}  // namespace
}  // namespace kith
