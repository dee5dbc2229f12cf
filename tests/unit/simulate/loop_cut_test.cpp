// Long runs of which some passes of their loops are simulated.
#include "timeline/loop_cut.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "jobs.hpp"
#include "kith/error.hpp"
#include "unit/test_files.hpp"
#include "unit/timeline/timeline_programs.hpp"

namespace kith::simulate {
namespace {

using timeline::event_of;
using timeline::newest_requests;
using timeline::Op;
using timeline::RankTimeline;
using timeline::StreamMaker;

struct Jobs {
  JobReplay whole;
  JobReplay cut;
};

Jobs jobs_of(const std::vector<RankTimeline>& ranks, std::uint64_t most_operations) {
  const TempDirectory folder;
  timeline::write_trace(folder.path() / "t.kith", ranks);
  timeline::TimelineFiles files(folder.path() / "t.kith");
  return {read_job_replay(files, {all_operations}), read_job_replay(files, {most_operations})};
}

/// A host a rank. Both lengths of the job take as long.
void expect_equal_seconds(const Jobs& jobs, Sharing sharing = Sharing::fair, double close = 1e-3) {
  TestBed bed("tree:" + std::to_string(jobs.whole.ranks) + "x1");
  bed.options.sharing = sharing;
  const SimulatedRun whole = bed.run(jobs.whole);
  const SimulatedRun cut = bed.run(jobs.cut);
  EXPECT_EQ(whole.left_out, 0);
  EXPECT_NEAR(cut.seconds / whole.seconds, 1, close);
  EXPECT_LT(cut.left_out_error, close * cut.seconds);
  for (std::size_t i = 0; i < whole.rank_end.size(); ++i) {
    EXPECT_NEAR(cut.rank_end[i] / whole.rank_end[i], 1, close);
  }
  ASSERT_FALSE(whole.links.empty());
  EXPECT_NEAR(cut.links.front().utilisation / whole.links.front().utilisation, 1, 0.05);
  EXPECT_NEAR(cut.links.front().bytes / whole.links.front().bytes, 1, 0.05);
}

/// Around a ring: `body` writes a rank's stream with the operations of one step, as often as asked.
std::vector<RankTimeline> ring_of(
    std::uint32_t ranks,
    const std::function<void(StreamMaker&, std::uint32_t, const std::function<void()>&)>& body) {
  std::vector<RankTimeline> all;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    StreamMaker maker;
    const auto next = static_cast<std::int32_t>((rank + 1) % ranks - rank);
    const auto before = static_cast<std::int32_t>((rank + ranks - 1) % ranks - rank);
    const auto step = [&] {
      maker.add(event_of(Op::irecv, before, 20'000, 7))
          .add(event_of(Op::isend, next, 20'000, 7))
          .add(event_of(Op::waitall), newest_requests(2));
    };
    body(maker, rank, step);
    all.push_back(timeline::rank_of(rank, ranks));
    all.back().threads.push_back(maker.take());
  }
  return all;
}

TEST(LoopCut, SomePassesTellHowLongAllTake) {
  const Jobs jobs = jobs_of(timeline::stencil(4, 4, 3000), 100'000);
  ASSERT_FALSE(jobs.cut.cut.is_empty());
  ASSERT_EQ(jobs.cut.cut.loops().size(), 1U);
  EXPECT_EQ(jobs.cut.cut.loops()[0].blocks, 3000U);
  EXPECT_EQ(jobs.cut.one_ended_messages, 0U);
  EXPECT_EQ(jobs.cut.operations, jobs.whole.operations);
  EXPECT_EQ(jobs.cut.cut.operations(), jobs.whole.operations);
  EXPECT_LE(jobs.cut.cut.kept_operations(), 102'000U);
  EXPECT_GT(jobs.cut.cut.kept_operations(), 90'000U);
  EXPECT_LT(13 * jobs.cut.messages.size(), jobs.whole.messages.size());
  expect_equal_seconds(jobs);
  expect_equal_seconds(jobs, Sharing::queued);
}

TEST(LoopCut, KeepsShortJobsWhole) {
  const Jobs jobs = jobs_of(timeline::stencil(4, 4, 40), 1'000'000);
  EXPECT_TRUE(jobs.cut.cut.is_empty());
  EXPECT_EQ(jobs.cut.messages.size(), jobs.whole.messages.size());
  // A few passes of a loop do not tell whether it has settled.
  EXPECT_TRUE(jobs_of(timeline::stencil(2, 2, 40), 10).cut.cut.is_empty());
}

/// A rank's pass may be worth several of another one's, and its first or last may stand beside the loop.
TEST(LoopCut, PassesNeedNotBeAlike) {
  const Jobs jobs = jobs_of(
      ring_of(6,
              [](StreamMaker& maker, std::uint32_t rank, const auto& step) {
                if (rank == 0) {
                  maker.loop(3000);
                  step();
                  step();
                  maker.end();
                } else if (rank == 1) {
                  step();
                  maker.loop(5998);
                  step();
                  maker.end();
                  step();
                } else if (rank == 2) {
                  maker.loop(2000);
                  for (int i = 0; i < 3; ++i) step();
                  maker.end();
                } else {
                  maker.loop(6000);
                  step();
                  maker.end();
                }
              }),
      10'000);
  ASSERT_FALSE(jobs.cut.cut.is_empty());
  EXPECT_EQ(jobs.cut.cut.loops()[0].block_passes, 6U);
  EXPECT_EQ(jobs.cut.one_ended_messages, 0U);
  EXPECT_LT(5 * jobs.cut.messages.size(), jobs.whole.messages.size());
  expect_equal_seconds(jobs);
}

TEST(LoopCut, CutsLoopsInsideOthers) {
  const Jobs jobs = jobs_of(ring_of(4,
                                    [](StreamMaker& maker, std::uint32_t, const auto& step) {
                                      maker.loop(5);
                                      step();
                                      maker.loop(4000);
                                      step();
                                      maker.end();
                                      maker.loop(3000);
                                      step();
                                      step();
                                      maker.end();
                                      maker.end();
                                    }),
                            20'000);
  ASSERT_EQ(jobs.cut.cut.loops().size(), 2U);
  EXPECT_EQ(jobs.cut.cut.loops()[0].visits, 5U);
  EXPECT_EQ(jobs.cut.cut.loops()[1].blocks, 3000U);
  EXPECT_LT(10 * jobs.cut.messages.size(), jobs.whole.messages.size());
  expect_equal_seconds(jobs);
}

/// One rank has a loop more than the others: only the largest of each is cut.
TEST(LoopCut, CutsWhatAllHave) {
  const Jobs jobs = jobs_of(ring_of(4,
                                    [](StreamMaker& maker, std::uint32_t rank, const auto& step) {
                                      if (rank == 2) maker.add(event_of(Op::iprobe), 900);
                                      maker.loop(4000);
                                      step();
                                      maker.end();
                                    }),
                            10'000);
  ASSERT_EQ(jobs.cut.cut.loops().size(), 1U);
  EXPECT_EQ(jobs.cut.cut.loops()[0].blocks, 4000U);
  // The late rank's first passes are faster: its messages are there.
  expect_equal_seconds(jobs, Sharing::fair, 5e-3);
}

/// Where ranks do other work meanwhile nothing is left out: their loops are not the same.
TEST(LoopCut, KeepsLoopsThatDoNotFit) {
  const auto ranks = [](std::uint64_t first, std::uint64_t second, std::uint64_t other) {
    return ring_of(4, [=](StreamMaker& maker, std::uint32_t rank, const auto& step) {
      maker.loop(rank == 3 ? other : first);
      step();
      maker.end();
      maker.loop(first + second - (rank == 3 ? other : first));
      step();
      maker.end();
    });
  };
  // Of other lengths.
  const Jobs unequal = jobs_of(ranks(3000, 2000, 2500), 10'000);
  EXPECT_TRUE(unequal.cut.cut.is_empty());
  EXPECT_EQ(unequal.cut.messages.size(), unequal.whole.messages.size());
  // Pairs of equal loops that send each other nothing: what is left has one end.
  const auto crossed = ring_of(4, [](StreamMaker& maker, std::uint32_t rank, const auto& step) {
    maker.loop(2000);
    if (rank < 2) step();
    maker.add(event_of(Op::iprobe));
    maker.end();
    maker.loop(2000);
    if (rank >= 2) step();
    maker.add(event_of(Op::iprobe));
    maker.end();
  });
  const Jobs apart = jobs_of(crossed, 10'000);
  EXPECT_EQ(apart.cut.one_ended_messages, apart.whole.one_ended_messages);
}

/// A quick look refuses what it would have to simulate whole.
TEST(LoopCut, MayRefuseWhatDoesNotFit) {
  const auto ranks = ring_of(4, [](StreamMaker& maker, std::uint32_t rank, const auto& step) {
    for (int i = 0; i < 2; ++i) {
      maker.loop((rank == 3) == (i == 0) ? 3000 : 2000);
      step();
      maker.end();
    }
  });
  const TempDirectory folder;
  timeline::write_trace(folder.path() / "t.kith", ranks);
  timeline::TimelineFiles files(folder.path() / "t.kith");
  EXPECT_THROW(read_job_replay(files, {10'000, 50'000}), Error);
  EXPECT_TRUE(read_job_replay(files, {10'000, 60'000}).cut.is_empty());
}

/// All kinds of operations, some of them never completed.
TEST(LoopCut, AnyProgramCanBeCut) {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    const std::uint32_t ranks = 3 + seed % 5;
    const Jobs jobs = jobs_of(timeline::mixture(ranks, seed, 6, 2000), 20'000);
    ASSERT_FALSE(jobs.cut.cut.is_empty()) << seed;
    EXPECT_EQ(jobs.cut.one_ended_messages, 0U) << seed;
    EXPECT_LT(jobs.cut.messages.size(), jobs.whole.messages.size()) << seed;
    TestBed bed("tree:" + std::to_string(ranks) + "x1");
    const SimulatedRun whole = bed.run(jobs.whole);
    const SimulatedRun cut = bed.run(jobs.cut);
    EXPECT_NEAR(cut.seconds, whole.seconds, std::max(0.01 * whole.seconds, cut.left_out_error))
        << seed;
  }
}

/// Passes that have not settled widen the error.
TEST(LoopCut, KnowsWhetherPassesHaveSettled) {
  JobReplay job = jobs_of(timeline::stencil(2, 2, 3000), 20'000).cut;
  TestBed bed("tree:4x1");
  EXPECT_LT(bed.run(job).left_out_error, 1e-3 * bed.run(job).seconds);
  // The last quarter of what is kept computes longer.
  for (Process& process : job.processes) {
    for (std::size_t i = process.actions.size() * 7 / 8; i < process.actions.size(); ++i) {
      process.actions[i].seconds *= 3;
    }
  }
  EXPECT_GT(bed.run(job).left_out_error, 0.02 * bed.run(job).seconds);
}

}  // namespace
}  // namespace kith::simulate
