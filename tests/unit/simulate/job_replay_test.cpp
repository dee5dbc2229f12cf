#include "simulate/job_replay.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "jobs.hpp"
#include "timeline/packed_rank.hpp"
#include "unit/test_files.hpp"
#include "unit/timeline/timeline_programs.hpp"

namespace kith::simulate {
namespace {

using timeline::collective;
using timeline::Event;
using timeline::event_of;
using timeline::InnerMessage;
using timeline::Op;
using timeline::RankTimeline;
using timeline::StreamMaker;

constexpr double exact = 1e-12;

JobReplay replay_of(const std::vector<RankTimeline>& ranks) {
  const TempDirectory folder;
  timeline::write_trace(folder.path() / "t.kith", ranks);
  timeline::TimelineFiles files(folder.path() / "t.kith");
  return read_job_replay(files);
}

/// Hosts of one rank each, where only messages take time.
SimulatedRun run_of_messages(const JobReplay& job, double eager_limit = 65536) {
  TestBed bed("tree:" + std::to_string(job.ranks) + "x1");
  bed.options.compute_factor = 0;
  bed.options.eager_limit = eager_limit;
  return bed.run(job);
}

TEST(JobReplay, HasEveryMessageWithBothEnds) {
  const JobReplay job = replay_of(timeline::ring(5, 20));
  EXPECT_EQ(job.ranks, 5U);
  EXPECT_EQ(job.processes.size(), 5U);
  EXPECT_EQ(job.messages.size(), 5U * 21);  // and a barrier
  EXPECT_EQ(job.operations, 5U * 61);
  EXPECT_EQ(job.one_ended_messages, 0U);
  EXPECT_EQ(job.missing_ranks, 0U);
  EXPECT_EQ(job.omitted_operations, 0U);
  EXPECT_EQ(job.recorded_seconds, 3);
  for (const Message& message : job.messages) {
    EXPECT_TRUE(message.is_sent && message.is_received);
    EXPECT_EQ((message.sender + 1) % 5, message.receiver);
  }
}

/// Each rank of a killed job kept its timeline at another time: no rank has more to do for that.
TEST(JobReplay, EndsWhereTheFirstRankOfAKilledJobEnds) {
  std::vector<RankTimeline> ranks = timeline::ring(4, 20);
  const double ends[] = {9, 3, 12, 6};
  const TempDirectory folder;
  const std::filesystem::path trace = folder.path() / "t.kith.partial";
  std::filesystem::create_directories(trace);
  for (std::uint32_t rank = 0; rank < 4; ++rank) {
    ranks[rank].run_seconds = ends[rank];
    std::ofstream(trace / ("rank-" + std::to_string(rank) + ".timeline"), std::ios::binary)
        << timeline::pack_rank(ranks[rank]);
  }
  timeline::TimelineFiles files(trace);
  const JobReplay job = read_job_replay(files);
  EXPECT_TRUE(job.is_cut_short);
  EXPECT_EQ(job.covered, 1);
  EXPECT_NEAR(job.recorded_seconds, 3, exact);
  for (const Process& process : job.processes) {
    double seconds = 0;
    for (const Action& action : process.actions) seconds += action.seconds;
    EXPECT_LT(seconds, 3) << process.rank;
  }
}

TEST(JobReplay, KnowsWhatRanksCompute) {
  const JobReplay job = replay_of(timeline::ring(2, 100));
  double seconds = 0;
  for (const Action& action : job.processes[0].actions) seconds += action.seconds;
  EXPECT_GT(seconds, 0.5);  // from the last operation to MPI_Finalize
  EXPECT_LT(seconds, 0.51);
  EXPECT_GT(job.computing_spread, 0);
  EXPECT_LT(job.computing_spread, 0.1);
}

/// Sends, receives and waits of all kinds, wildcards, collectives and windows end.
TEST(JobReplay, AnyProgramRuns) {
  for (std::uint32_t seed = 1; seed <= 30; ++seed) {
    const std::uint32_t ranks = 3 + seed % 5;
    const JobReplay job = replay_of(timeline::mixture(ranks, seed));
    EXPECT_EQ(job.one_ended_messages, 0U) << seed;
    for (const double eager_limit : {0.0, 65536.0}) {
      const SimulatedRun run = run_of_messages(job, eager_limit);
      EXPECT_EQ(run.messages, job.messages.size()) << seed;
      EXPECT_GT(run.seconds, 0);
    }
  }
}

TEST(JobReplay, ThreadsAreProcessesOfTheirRank) {
  for (std::uint32_t seed = 1; seed <= 10; ++seed) {
    std::vector<RankTimeline> ranks = timeline::mixture(6, seed);
    const std::vector<RankTimeline> others = timeline::ring(6, 50);
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      ranks[i].threads.push_back(others[i].threads[0]);
      ranks[i].threads[1].program.rules[0].items.pop_back();  // the barrier
    }
    const JobReplay job = replay_of(ranks);
    EXPECT_EQ(job.processes.size(), 12U);
    EXPECT_EQ(job.processes[3].rank, 1U);
    EXPECT_EQ(run_of_messages(job).messages, job.messages.size()) << seed;
  }
}

/// Who has no part in a communicator does not free it.
TEST(JobReplay, CommunicatorsAreMadeByAnyNumberOfRanks) {
  std::vector<RankTimeline> ranks;
  for (std::uint32_t rank = 0; rank < 3; ++rank) {
    const auto next = static_cast<std::int32_t>((rank + 1) % 3 - rank);
    StreamMaker maker;
    maker.loop(10);
    for (std::uint32_t calls = 0; calls < 3 - rank; ++calls) {
      maker.add(event_of(Op::setup), {next, 100 + calls, 2});
    }
    maker.add(event_of(Op::barrier), {next, 0, 1});
    maker.add(event_of(rank == 0 ? Op::isend : Op::irecv,
                       rank == 2 ? timeline::no_peer : 1 - 2 * static_cast<std::int32_t>(rank),
                       50));
    maker.add(event_of(Op::waitall), timeline::newest_requests(1));
    maker.end();
    ranks.push_back(timeline::rank_of(rank, 3));
    ranks.back().threads.push_back(maker.take());
  }
  const JobReplay job = replay_of(ranks);
  EXPECT_EQ(job.messages.size(), 10U * (2 * (3 + 2 + 1) + 3 + 1));
  EXPECT_EQ(run_of_messages(job).messages, job.messages.size());
}

TEST(JobReplay, ARankWithoutATimeline) {
  std::vector<RankTimeline> ranks = timeline::mixture(6, 5);
  ranks.pop_back();
  const JobReplay job = replay_of(ranks);
  EXPECT_EQ(job.missing_ranks, 1U);
  EXPECT_EQ(job.processes.size(), 6U);
  EXPECT_GT(job.one_ended_messages, 0U);
}

TEST(JobReplay, OperationsThatAreNotThere) {
  std::vector<RankTimeline> ranks = timeline::ring(2, 10);
  ranks[1].threads[0].events += 7;
  ranks[1].threads[0].omissions = {{30, 7, 0, 0.1}};
  const JobReplay job = replay_of(ranks);
  EXPECT_EQ(job.omitted_operations, 8U);  // and the barrier behind
  EXPECT_EQ(run_of_messages(job).messages, 20U);
  EXPECT_GT(job.covered, 0.08);
  EXPECT_LT(job.covered, 0.09);  // of 3 s
}

/// What all ranks did until the first of them had no more memory tells how long the whole takes.
TEST(JobReplay, ABeginningTakesItsShare) {
  const auto seconds = [](std::uint64_t omitted_on_rank_1) {
    std::vector<RankTimeline> ranks = timeline::ring(4, 2000);
    for (RankTimeline& rank : ranks) {
      rank.threads[0].begin = 0;
      rank.run_seconds = 0.036;  // 2000 steps of 18 us
    }
    if (omitted_on_rank_1 > 0) ranks[1].threads[0].omissions = {{3000, omitted_on_rank_1, 0, 0}};
    const JobReplay job = replay_of(ranks);
    EXPECT_EQ(job.covered<1, omitted_on_rank_1> 0);
    EXPECT_LT(run_of_messages(job).messages, omitted_on_rank_1 > 0 ? 4100U : 8100U);
    TestBed bed("tree:4x1");
    const SimulatedRun run = bed.run(job);
    EXPECT_EQ(run.left_out > 0, omitted_on_rank_1 > 0);
    return run.seconds;
  };
  EXPECT_NEAR(seconds(3001) / seconds(0), 1, 0.05);
}

TEST(JobReplay, ABroadcastGoesAlongItsChain) {
  std::vector<InnerMessage> messages;
  for (std::uint32_t rank = 0; rank + 1 < 8; ++rank) messages.push_back({rank, rank + 1, 20'000});
  const SimulatedRun run = run_of_messages(replay_of(collective(Op::bcast, 8, messages)));
  EXPECT_NEAR(run.seconds, 7 * alone(20'000), exact);
  EXPECT_EQ(run.last_rank, 7U);
}

/// Rank 0 has all its segments on the way at once; the others pass on what has come.
TEST(JobReplay, SegmentsOfAChain) {
  std::vector<InnerMessage> messages;
  for (int segment = 0; segment < 10; ++segment) {
    for (std::uint32_t rank = 0; rank + 1 < 8; ++rank) messages.push_back({rank, rank + 1, 20'000});
  }
  const SimulatedRun run = run_of_messages(replay_of(collective(Op::bcast, 8, messages)));
  EXPECT_EQ(run.messages, messages.size());
  EXPECT_GE(run.seconds, alone(200'000));
  EXPECT_LE(run.seconds, 7 * alone(200'000) + exact);
}

/// A binomial tree towards rank 0: who has two children sends once both have sent.
TEST(JobReplay, AReductionGoesUpItsTree) {
  const JobReplay job = replay_of(collective(Op::reduce, 8,
                                             {{1, 0, 5000},
                                              {3, 2, 5000},
                                              {5, 4, 5000},
                                              {7, 6, 5000},
                                              {2, 0, 5000},
                                              {6, 4, 5000},
                                              {4, 0, 5000}}));
  const SimulatedRun run = run_of_messages(job);
  EXPECT_NEAR(run.seconds, 3 * alone(5000), exact);
  EXPECT_EQ(run.last_rank, 0U);
}

TEST(JobReplay, AnAllreduceByDoublingGoesStepByStep) {
  std::vector<InnerMessage> messages;
  for (const std::uint32_t far : {1U, 2U, 4U}) {
    for (std::uint32_t rank = 0; rank < 8; ++rank) messages.push_back({rank, rank ^ far, 10'000});
  }
  const SimulatedRun run = run_of_messages(replay_of(collective(Op::allreduce, 8, messages)));
  EXPECT_NEAR(run.seconds, 3 * alone(10'000), exact);
  for (const double end : run.rank_end) EXPECT_NEAR(end, run.seconds, exact);
}

/// Parts go down a tree, then around a ring: back to ranks from which they came.
TEST(JobReplay, ABroadcastByScatterAndAllgatherEnds) {
  std::vector<InnerMessage> messages;
  for (const std::uint32_t far : {4U, 2U, 1U}) {
    for (std::uint32_t rank = 0; rank < 8; rank += 2 * far) {
      messages.push_back({rank, rank + far, far * 100'000});
    }
  }
  for (std::uint32_t rank = 0; rank < 8; ++rank) {
    for (int step = 0; step < 7; ++step) messages.push_back({rank, (rank + 1) % 8, 100'000});
  }
  const JobReplay job = replay_of(collective(Op::bcast, 8, messages));
  for (const double eager_limit : {0.0, 65536.0, 1e9}) {
    const SimulatedRun run = run_of_messages(job, eager_limit);
    EXPECT_EQ(run.messages, messages.size());
    // No rank can have all before the ring has gone round.
    EXPECT_GT(run.seconds, alone(700'000));
  }
}

TEST(JobReplay, NobodyWaitsInsideANonblockingCollective) {
  std::vector<RankTimeline> ranks;
  for (std::uint32_t rank = 0; rank < 4; ++rank) {
    Event event = event_of(Op::bcast, 0, 1000);
    event.flags = timeline::nonblocking;
    StreamMaker maker;
    if (rank < 3) {
      maker.add(event, {1, 10'000, 1});
    } else {
      maker.add(event);
    }
    maker.add(event_of(Op::wait), timeline::newest_requests(1));
    ranks.push_back(timeline::rank_of(rank, 4));
    ranks.back().threads.push_back(maker.take());
  }
  EXPECT_NEAR(run_of_messages(replay_of(ranks)).seconds, alone(10'000), exact);
}

}  // namespace
}  // namespace kith::simulate
