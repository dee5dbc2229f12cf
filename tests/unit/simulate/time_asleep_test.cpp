#include "simulate/time_asleep.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "timeline/summary.hpp"
#include "unit/test_files.hpp"
#include "unit/timeline/timeline_programs.hpp"

namespace kith::simulate {
namespace {

double computing_of(const JobReplay& job, std::uint32_t process) {
  double seconds = 0;
  for (const Action& action : job.processes[process].actions) {
    if (action.kind == Action::Kind::compute) seconds += action.seconds;
  }
  return seconds;
}

/// Two ranks whose runs take so long, whatever they computed and called, and whose last operation
/// ends so long before that.
struct Asleep {
  explicit Asleep(double run_seconds, double after_last = 0) {
    std::vector<timeline::RankTimeline> ranks = timeline::ring(2, 100);
    for (timeline::RankTimeline& one : ranks) {
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
    add_time_asleep(job, files);
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

}  // namespace
}  // namespace kith::simulate
