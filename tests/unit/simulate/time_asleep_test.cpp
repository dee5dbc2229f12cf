#include "simulate/time_asleep.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "timeline/summary.hpp"
#include "unit/test_files.hpp"
#include "unit/timeline/timeline_programs.hpp"

namespace kith::simulate {
namespace {

/// And sleeping.
double computing_of(const JobReplay& job, std::uint32_t process) {
  double seconds = 0;
  const Process& one = job.processes[process];
  for (std::size_t i = 0; i < one.actions.size(); ++i) {
    if (one.actions[i].kind != Action::Kind::compute) continue;
    seconds += one.actions[i].seconds + one.sleep_of(i);
  }
  return seconds;
}

/// Two ranks whose runs take so long, whatever they computed and called, and whose last operation
/// ends so long before that.
struct Asleep {
  explicit Asleep(double run_seconds, double after_last = 0, double crowding = 1, double seen = 0,
                  std::optional<double> preempted = {}) {
    std::vector<timeline::RankTimeline> ranks = timeline::ring(2, 100);
    for (timeline::RankTimeline& one : ranks) {
      one.threads.front().times[1].first_asleep = 1e9 * seen;
      one.threads.front().preempted = preempted;
      one.run_seconds = run_seconds;
      one.threads.front().end = run_seconds - after_last;
    }
    const TempDirectory folder;
    timeline::write_trace(folder.path() / "t.kith", ranks);
    timeline::TimelineFiles files(folder.path() / "t.kith");
    timeline::Summarizer summarizer(2);
    summarizer.add(files.read(0));
    rank = summarizer.take().ranks[0];
    job = read_job_replay(files);
    before = computing_of(job, 0);
    add_time_asleep(job, files, {crowding, crowding});
    after = computing_of(job, 0);
  }

  timeline::RankSeconds rank;
  JobReplay job;
  double before = 0;
  double after = 0;
};

TEST(TimeAsleep, MakesComputingLonger) {
  const Asleep half(6);
  ASSERT_GT(half.rank.off_cpu, 0.05 * half.rank.run);
  const double computing = timeline::of(half.rank.seconds, timeline::Activity::computing);
  EXPECT_NEAR(half.after / half.before, (computing + half.rank.off_cpu) / computing, 1e-6);
  EXPECT_NEAR(half.job.asleep, half.rank.off_cpu / half.rank.run, 1e-6);
  const Asleep longer(12);
  EXPECT_GT(longer.after, half.after + 5);
}

/// The most that rank 0 sleeps at a time, beside the least, where some of its computations take
/// three times as long as others.
double most_beside_least(double run_seconds) {
  const Asleep one(run_seconds);
  std::vector<double> sleep;
  for (const auto& [seconds, at] : {std::pair{1.0, 0}, {3.0, 1}}) {
    Process process = one.job.processes[0];
    for (std::size_t i = 0; i < process.actions.size(); ++i) {
      const double own = process.seconds_before_last(i);
      if (process.actions[i].kind != Action::Kind::compute || own == 0) continue;
      process.actions[i].seconds *= seconds;
      sleep.push_back(process.sleep_of(i));
      break;
    }
    EXPECT_EQ(sleep.size(), static_cast<std::size_t>(at) + 1);
  }
  return sleep[1] / sleep[0];
}

TEST(TimeAsleep, IsSpreadEvenlyWhereARankHardlyComputes) {
  const Asleep one(1);
  const double awake = one.rank.run - one.rank.off_cpu;
  EXPECT_GT(most_beside_least(1.2 * awake), 2);
  EXPECT_LT(most_beside_least(6000), 1.1);
}

TEST(TimeAsleep, LiesWhereItWasSeen) {
  const Asleep spread(6);
  const double asleep = spread.after - spread.before;
  for (const double seen : {0.5 * asleep, asleep}) {
    const Asleep one(6, 0, 1, seen);
    const double rest = asleep - seen;
    EXPECT_NEAR(one.after, spread.after, 1e-3 * asleep);
    EXPECT_NEAR(one.job.processes[0].sleep_of(0) - seen,
                rest / asleep * spread.job.processes[0].sleep_of(0), 1e-3 * asleep);
  }
  // More than the wall clock leaves room for: all of it in turn.
  const Asleep more(6, 0, 1, 2 * asleep);
  EXPECT_NEAR(more.after, spread.after, 1e-3 * asleep);
  EXPECT_NEAR(more.job.processes[0].sleep_of(0), asleep, 1e-3 * asleep);
}

TEST(TimeAsleep, IsNoneWhereARankWaitedForAProcessor) {
  const Asleep alone(6);
  const Asleep waited(6, 0, 1, 0, alone.rank.off_cpu);
  EXPECT_EQ(waited.job.asleep, 0);
  EXPECT_EQ(waited.after, waited.before);
  const Asleep half(6, 0, 4, 0, 0.5 * alone.rank.off_cpu);  // whatever turns might explain
  EXPECT_NEAR(half.after - half.before, 0.5 * alone.rank.off_cpu, 1e-6);
  const double computing = timeline::of(half.rank.seconds, timeline::Activity::computing);
  EXPECT_NEAR(half.job.dilation, 1 + 0.5 * alone.rank.off_cpu / computing, 1e-6);
}

TEST(TimeAsleep, BehindTheLastOperationIsThereAlready) {
  const Asleep before(6);
  const Asleep apart(10, 4);
  EXPECT_NEAR(apart.after, before.after + 4, 1e-6);
  EXPECT_NEAR(apart.rank.off_cpu, before.rank.off_cpu + 4 - apart.rank.computing_after_last, 1e-6);
  EXPECT_NEAR(apart.job.asleep * apart.rank.run, before.job.asleep * before.rank.run, 1e-6);
}

TEST(TimeAsleep, ALittleIsNoise) {
  const double awake = Asleep(1).rank.run - Asleep(1).rank.off_cpu;
  const Asleep hardly(1.02 * awake);
  EXPECT_LT(hardly.rank.off_cpu, 0.05 * hardly.rank.run);
  EXPECT_EQ(hardly.job.asleep, 0);
  EXPECT_EQ(hardly.after, hardly.before);
}

TEST(TimeAsleep, OnSharedProcessorsIsWhatTurnsDoNotExplain) {
  const Asleep alone(6);
  const double computing = timeline::of(alone.rank.seconds, timeline::Activity::computing);
  const double turns = 1 + alone.rank.off_cpu / computing;  // as many ranks on each processor
  EXPECT_EQ(Asleep(6, 0, turns).job.asleep, 0);
  EXPECT_EQ(Asleep(6, 0, turns / 1.2).job.asleep, 0);  // turns may be that uneven
  const double few = 1 + 0.2 * alone.rank.off_cpu / computing;
  const Asleep shared(6, 0, few);
  EXPECT_NEAR(shared.job.asleep, 0.8 * alone.job.asleep, 1e-6);
  const double clock = computing + alone.rank.off_cpu;
  EXPECT_NEAR(shared.job.dilation, clock / computing, 1e-6);
  EXPECT_EQ(alone.job.dilation, 0);
  EXPECT_NEAR(shared.after - shared.before, 0.8 * (alone.after - alone.before), 1e-6);
}

}  // namespace
}  // namespace kith::simulate
