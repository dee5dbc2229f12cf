#include "timeline/period.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "../test_files.hpp"
#include "timeline/host_file.hpp"
#include "timeline_samples.hpp"

namespace kith::timeline {
namespace {

/// The period of a job, by way of its file.
Period period_of(const std::vector<RankTimeline>& ranks, std::uint32_t centre,
                 const PeriodLimits& limits = {}) {
  const TempDirectory folder;
  HostFile file;
  for (const RankTimeline& rank : ranks) file.add(pack_rank(rank));
  folder.write("timeline/host-000000.timeline", file.take());
  TimelineFiles files(folder.path());
  return find_period(files, centre, limits);
}

std::vector<Op> operations(const Period& period, const PeriodRank& rank) {
  std::vector<Op> found;
  for (const PeriodSlice& slice : rank.slices) found.push_back(period.events[slice.event].op);
  return found;
}

/// As its times make it: the wall time of each stream.
std::vector<RankTimeline> stretched(std::vector<RankTimeline> ranks, double seconds) {
  for (RankTimeline& rank : ranks) {
    rank.init_seconds = 0;
    rank.threads.front().begin = 0;
    rank.threads.front().end = seconds;
  }
  return ranks;
}

TEST(Period, IsTwoPassesOfTheLongestLoop) {
  const Period period = period_of(stretched(ring(4, 1000), 0.02), 1);
  EXPECT_EQ(period.repeats, 1000U);
  EXPECT_EQ(period.shown, 2U);
  ASSERT_EQ(period.ranks.size(), 4U);
  const std::vector<Op> expected{Op::irecv, Op::isend, Op::waitall,
                                 Op::irecv, Op::isend, Op::waitall};
  EXPECT_EQ(operations(period, period.ranks[1]), expected);
  EXPECT_NEAR(period.ranks[1].begin, period.begin, 1e-9);
  const PeriodEvent& wait = period.events[period.ranks[1].slices[2].event];
  EXPECT_EQ(wait.requests, 2U);
  EXPECT_EQ(wait.peers, (std::vector<std::int32_t>{-1}));
  EXPECT_FALSE(period.is_cut);
}

TEST(Period, TakesAnInnerLoopWhereTheOuterIsTooLong) {
  const std::vector<RankTimeline> ranks = stretched(stencil(2, 2, 100), 0.05);
  EXPECT_EQ(period_of(ranks, 0).repeats, 100U);
  const Period inner = period_of(ranks, 0, {4, 4 * 20});  // a step has 28 events
  EXPECT_EQ(inner.repeats, 3U);
  EXPECT_EQ(inner.ranks[0].slices.size(), 18U);  // of nine each
}

TEST(Period, IsThePartInTheMiddleWithoutALoop) {
  StreamMaker maker;
  for (int i = 0; i < 100; ++i) maker.add(event_of(Op::send, 0, static_cast<std::uint64_t>(i)));
  RankTimeline timeline = rank_of(0, 1);
  timeline.threads.push_back(maker.take());
  const Period period = period_of({timeline}, 0, {1, 10});
  EXPECT_EQ(period.repeats, 0U);
  EXPECT_GT(period.begin, 0.25);
  EXPECT_LT(period.end, 2.5);
  EXPECT_GT(period.ranks[0].slices.size(), 0U);
  EXPECT_LE(period.ranks[0].slices.size(), 20U);
}

TEST(Period, ShowsTheRanksAroundTheCentre) {
  const Period period = period_of(ring(50, 10), 40, {8, 1000});
  ASSERT_EQ(period.ranks.size(), 8U);
  EXPECT_EQ(period.ranks.front().rank, 36U);
  EXPECT_EQ(period_of(ring(50, 10), 49, {8, 1000}).ranks.back().rank, 49U);
}

/// What one position takes each time, in ns.
void set_times(ThreadStream& stream, std::size_t position, double before, double inside) {
  PositionTimes& times = stream.times[position];
  times = {};
  times.timed = 99;
  times.before.sum = 99 * before;
  times.inside.sum = 99 * inside;
}

TEST(Period, MovesRanksToWhereTheirMessagesAre) {
  constexpr double ms = 1e6;
  std::vector<RankTimeline> ranks;
  for (std::uint32_t rank = 0; rank < 3; ++rank) {
    StreamMaker maker;  // the first computes and sends, the others pass it on
    maker.loop(100);
    if (rank > 0) maker.add(event_of(Op::recv, -1, 8));
    if (rank < 2) maker.add(event_of(Op::send, 1, 8));
    maker.add(event_of(Op::allreduce)).end();
    ThreadStream stream = maker.take();
    const std::size_t sum = rank == 1 ? 3 : 2;
    if (rank > 0) set_times(stream, 1, 0, rank * 5 * ms);
    if (rank < 2) set_times(stream, rank + 1, 5 * ms, 0);
    set_times(stream, sum, rank == 2 ? 5 * ms : 0, (2 - rank) * 5 * ms);
    stream.begin = 0;
    stream.end = 100 * 0.015;
    RankTimeline timeline = rank_of(rank, 3);
    timeline.init_seconds = 0.003 * rank;  // clocks that do not agree
    timeline.threads.push_back(std::move(stream));
    ranks.push_back(std::move(timeline));
  }
  const Period period = period_of(ranks, 1);
  for (const PeriodRank& rank : period.ranks) EXPECT_NEAR(rank.begin, period.begin, 1e-5);
  EXPECT_NEAR(period.end - period.begin, 0.03, 1e-4);
}

}  // namespace
}  // namespace kith::timeline
