#include "timeline/run_picture.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "timeline_samples.hpp"

namespace kith::timeline {
namespace {

RankTimeline timeline_of(ThreadStream stream, double begin, double end) {
  RankTimeline timeline = rank_of(0, 1);
  timeline.init_seconds = 0;
  timeline.run_seconds = end;
  stream.begin = begin;
  stream.end = end;
  timeline.threads.push_back(std::move(stream));
  return timeline;
}

/// Seconds of each shade in all bins together.
std::array<double, shade_count> painted(const RunPicture& picture, std::uint32_t row = 0) {
  std::array<double, shade_count> sums{};
  for (std::uint32_t bin = 0; bin < picture.bins; ++bin) {
    const std::uint32_t cell = picture.shares[row * picture.bins + bin];
    for (std::size_t i = 0; i < shade_count; ++i) {
      sums[i] += (cell >> 8 * i & 255) / 255.0 * picture.seconds / picture.bins;
    }
  }
  return sums;
}

TEST(RunPicture, HasTheSecondsOfAllThatIsDone) {
  StreamMaker maker;  // 1 and 2 us each time, 2 and 4 us for the second position
  maker.loop(100000).add(event_of(Op::send, 1, 8)).add(event_of(Op::allreduce)).end();
  const double all = 1e-6 * (99999 * 9 + 15 + 30);
  const RankTimeline timeline = timeline_of(maker.take(), 0, all);
  RunPainter painter(1, 0, timeline.run_seconds);
  painter.add(timeline);
  const RunPicture picture = painter.take();
  const auto sums = painted(picture);
  EXPECT_NEAR(sums[0], all / 3, 0.01 * all);
  EXPECT_NEAR(sums[1], all * 2 / 9, 0.01 * all);
  EXPECT_NEAR(sums[2], all * 4 / 9, 0.01 * all);
  EXPECT_EQ(sums[3], 0);
}

TEST(RunPicture, LeavesBlankWhereARankHadNoProcessor) {
  StreamMaker maker;
  maker.loop(100000).add(event_of(Op::send, 1, 8)).end();  // 1 us and 2 us
  const RankTimeline timeline = timeline_of(maker.take(), 0.1, 0.5);
  RunPainter painter(1, 0, 0.5);
  painter.add(timeline);
  const RunPicture picture = painter.take();
  EXPECT_EQ(picture.shares.front(), 0U);  // before it began
  const auto sums = painted(picture);
  EXPECT_NEAR(sums[0], 0.1, 0.002);
  EXPECT_NEAR(sums[1], 0.2, 0.002);
}

TEST(RunPicture, LeavesBlankWhereARankSlept) {
  StreamMaker maker;  // computes and sends for as long again and more, sleeps, goes on
  maker.add(event_of(Op::send, 1, 8), 20'000).add(event_of(Op::barrier));
  maker.add(event_of(Op::send, 1, 16), 10'000);
  ThreadStream stream = maker.take();
  stream.times[2].first_asleep = 0.4e9;
  const double awake = 1e-6 * (20'000 * 3 + 10'000 * 9);
  const RankTimeline timeline = timeline_of(std::move(stream), 0, awake + 0.4);
  RunPainter painter(1, 0, timeline.run_seconds);
  painter.add(timeline);
  const RunPicture picture = painter.take();
  const auto bin_at = [&](double seconds) {
    return picture.shares[static_cast<std::size_t>(seconds / picture.seconds * picture.bins)] & 255;
  };
  EXPECT_NEAR(bin_at(0.03), 85, 3);  // 1 of 3 us
  EXPECT_EQ(bin_at(0.2), 0U);
  EXPECT_EQ(bin_at(0.4), 0U);
  EXPECT_NEAR(bin_at(0.5), 85, 3);
}

TEST(RunPicture, PutsOmissionsWhereTheyWere) {
  StreamMaker maker;
  maker.loop(100000).add(event_of(Op::send, 1, 8)).end();
  ThreadStream stream = maker.take();
  stream.omissions.push_back({50000, 1, 1, 0.6});
  const RankTimeline timeline = timeline_of(std::move(stream), 0, 0.9);
  RunPainter painter(1, 0, 0.9);
  painter.add(timeline);
  const RunPicture picture = painter.take();
  const auto at = [&](double seconds) {
    return picture.shares[static_cast<std::size_t>(seconds / 0.9 * picture.bins)];
  };
  EXPECT_NE(at(0.14), 0U);
  EXPECT_EQ(at(0.2), 0U);
  EXPECT_EQ(at(0.7), 0U);
  EXPECT_NE(at(0.8), 0U);
}

TEST(RunPicture, GroupsManyRanks) {
  RunPainter painter(1000, 0, 1);
  const std::vector<RankTimeline> ranks = ring(1000, 3);
  for (const RankTimeline& rank : ranks) painter.add(rank);
  const RunPicture picture = painter.take();
  EXPECT_EQ(picture.block, 4U);
  EXPECT_EQ(picture.rows, 250U);
  EXPECT_LE(picture.shares.size(), RunPainter::most_cells);
}

TEST(RunPicture, HasThePhasesOfTheFirstRank) {
  StreamMaker maker;
  maker.add(event_of(Op::send, 1, 8), 1000).add(event_of(Op::phase, no_peer, 0, 2));
  maker.add(event_of(Op::send, 1, 8), 1000).add(event_of(Op::phase, no_peer, 0, 1));
  ThreadStream stream = maker.take();
  for (Item& item : stream.program.rules[0].items) {
    if (stream.program.events[item.index].op == Op::phase) item.times = 0;  // as they are recorded
  }
  const RankTimeline timeline = timeline_of(std::move(stream), 0, 0);
  RunPainter painter(1, 0, 0.1);
  painter.add(timeline);
  const RunPicture picture = painter.take();
  ASSERT_EQ(picture.phases.size(), 2U);
  EXPECT_EQ(picture.phases[0].number, 2);
  EXPECT_GT(picture.phases[0].end, 0.002);
  EXPECT_EQ(picture.phases[1].begin, picture.phases[0].end);
}

}  // namespace
}  // namespace kith::timeline
