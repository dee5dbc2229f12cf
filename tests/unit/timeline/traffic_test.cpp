#include "timeline/traffic.hpp"

#include <algorithm>
#include <gtest/gtest.h>

#include <vector>

#include "kith/error.hpp"
#include "timeline/unroll.hpp"
#include "timeline_samples.hpp"

namespace kith::timeline {
namespace {

using Cells = std::vector<TrafficCell>;

Cells traffic_of_all(const std::vector<RankTimeline>& ranks) {
  Cells all;
  for (const RankTimeline& rank : ranks) {
    const Cells cells = traffic_of(rank);
    all.insert(all.end(), cells.begin(), cells.end());
  }
  return summed(std::move(all));
}

TEST(Unroll, GivesEveryEventInItsOrder) {
  StreamMaker maker;
  maker.add(event_of(Op::barrier)).loop(3).add(event_of(Op::send, 1, 10), 2).loop(2);
  maker.add(event_of(Op::recv, 1, 20)).end().end().add(event_of(Op::barrier));
  const ThreadStream stream = maker.take();
  std::string seen;
  double last = stream.begin;
  for_each_event(stream, [&](const Step& step) {
    seen += step.event->op == Op::barrier ? 'b' : step.event->op == Op::send ? 's' : 'r';
    EXPECT_EQ(step.number, seen.size() - 1);
    EXPECT_NEAR(step.begin, last + step.before, 1e-12);
    last = step.begin + step.inside;
  });
  EXPECT_EQ(seen, "bssrrssrrssrrb");
  EXPECT_EQ(occurrences(stream.program), (std::vector<std::uint64_t>{2, 6, 6}));
}

TEST(Unroll, EmptyLoopsTakeNoTime) {
  StreamMaker maker;
  maker.loop(std::uint64_t{1} << 62U).end().add(event_of(Op::barrier));
  const ThreadStream stream = maker.take();
  int seen = 0;
  for_each_event(stream, [&](const Step&) { ++seen; });
  EXPECT_EQ(seen, 1);
}

TEST(Unroll, TakesTheFirstTimeAndThenTheMean) {
  StreamMaker maker;
  maker.add(event_of(Op::send, 1, 10), 3);
  const ThreadStream stream = maker.take();
  std::vector<double> before;
  for_each_event(stream, [&](const Step& step) { before.push_back(step.before); });
  ASSERT_EQ(before.size(), 3U);
  EXPECT_NEAR(before[0], 10e-6, 1e-12);
  EXPECT_NEAR(before[1], 1e-6, 1e-12);
  EXPECT_NEAR(before[2], 1e-6, 1e-12);
}

TEST(Unroll, TimeAsleepPassesBeforeTheOperation) {
  StreamMaker maker;
  maker.add(event_of(Op::send, 1, 10), 3);
  ThreadStream stream = maker.take();
  stream.times[1].first_asleep = 7e9;
  stream.times[1].asleep = 2e9 * static_cast<double>(stream.times[1].timed);
  std::vector<Step> steps;
  for_each_event(stream, [&](const Step& step) { steps.push_back(step); });
  ASSERT_EQ(steps.size(), 3U);
  EXPECT_NEAR(steps[0].asleep, 7, 1e-9);
  EXPECT_NEAR(steps[0].begin, stream.begin + 7 + 10e-6, 1e-9);
  EXPECT_NEAR(steps[2].begin - steps[1].begin - steps[1].inside, 2 + 1e-6, 1e-9);
}

TEST(Unroll, SkipsToATimeAndAgreesWithTheWholeRun) {
  StreamMaker maker;
  maker.loop(1000).add(event_of(Op::send, 1, 10)).loop(7).add(event_of(Op::recv, 1, 20)).end().end();
  ThreadStream stream = maker.take();
  stream.omissions = {{500, 3, 0, 0.125}, {5000, 1, 0, 0.5}};
  stream.times[2].asleep = 3e3 * static_cast<double>(stream.times[2].timed);
  std::vector<Step> all;
  for_each_event(stream, [&](const Step& step) { all.push_back(step); });
  ASSERT_EQ(all.size(), 8000U);
  for (const double from : {0.0, 0.251, 0.27, 0.5, 0.9, 1.0}) {
    std::size_t next = 0;
    while (next < all.size() && all[next].begin + all[next].inside < from) ++next;
    std::uint64_t seen = 0;
    Unroller(stream, from).for_each([&](const Step& step) {
      EXPECT_NEAR(step.begin + step.inside, std::max(from, step.begin + step.inside), 1e-9);
      EXPECT_NEAR(step.begin, all[step.number].begin, 1e-9);
      ++seen;
      return true;
    });
    EXPECT_NEAR(static_cast<double>(seen), static_cast<double>(all.size() - next), 1.0) << from;
  }
}

TEST(Traffic, IsThatOfTheUnfoldedRun) {
  EXPECT_EQ(traffic_of_all(ring(3, 1000)),
            (Cells{{0, 1, 800'000, 1001}, {1, 2, 800'000, 1001}, {2, 0, 800'000, 1001}}));
  const Cells cells = traffic_of_all(stencil(3, 3, 100));
  for (const TrafficCell& cell : cells) {
    const bool next = cell.to == (cell.from + 1) % 9;
    const bool beside = cell.bytes > 2000;
    EXPECT_EQ(cell.bytes, (next ? 1600U : 0U) + (beside ? 300U * 4096U : 0U));
    EXPECT_EQ(cell.messages, (next ? 201U : 0U) + (beside ? 300U : 0U));
  }
}

TEST(Traffic, OneSidedGoesToTheTargetAndBack) {
  RankTimeline timeline = rank_of(1, 3);
  StreamMaker maker;
  maker.add(event_of(Op::put, 1, 100), 5).add(event_of(Op::accumulate, 1, 10));
  maker.add(event_of(Op::get, -1, 7), 2);
  Event both = event_of(Op::get_accumulate, -1, 1000);
  both.element = 24;
  maker.add(both).add(event_of(Op::put, no_peer, 55)).add(event_of(Op::fence));
  timeline.threads.push_back(maker.take());
  EXPECT_EQ(traffic_of(timeline), (Cells{{0, 1, 38, 3}, {1, 0, 1000, 1}, {1, 2, 510, 6}}));
}

TEST(Traffic, RefusesWhatDoesNotFit) {
  RankTimeline timeline = rank_of(0, 2);
  StreamMaker maker;
  maker.loop(std::uint64_t{1} << 40U).add(event_of(Op::send, 1, std::uint64_t{1} << 30U)).end();
  timeline.threads.push_back(maker.take());
  EXPECT_THROW(traffic_of(timeline), Error);
}

}  // namespace
}  // namespace kith::timeline
