#include "timeline/summary.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

#include "kith/error.hpp"
#include "timeline/list_code.hpp"
#include "timeline/unroll.hpp"
#include "timeline_samples.hpp"

namespace kith::timeline {
namespace {

Summary summary_of(const std::vector<RankTimeline>& ranks) {
  Summarizer sums(static_cast<std::uint32_t>(ranks.size()));
  for (const RankTimeline& rank : ranks) sums.add(rank);
  return sums.take();
}

/// The same by going through every event, and remembering every request.
struct Plain {
  ActivitySeconds seconds{};
  std::map<std::int32_t, ActivitySeconds> phases;
  std::map<std::uint32_t, double> waits;
};

Plain plain_sums(const RankTimeline& timeline) {
  Plain sums;
  for (const ThreadStream& stream : timeline.threads) {
    std::vector<const Event*> requests;
    ActivitySeconds pending{};
    for_each_event(stream, [&](const Step& step) {
      const Event& event = *step.event;
      of(pending, Activity::computing) += step.before;
      of(pending, activity_of(event.op)) += step.inside;
      const auto end = [&](std::int32_t number) {
        for (std::size_t i = 0; i < activity_count; ++i) {
          sums.seconds[i] += pending[i];
          sums.phases[number][i] += pending[i];
        }
        pending = {};
      };
      if (event.op == Op::phase) end(event.tag);
      if (makes_request(event)) {
        requests.push_back(&event);
      } else if (is_receive(event.op)) {
        sums.waits[timeline.rank + static_cast<std::uint32_t>(event.peer)] += step.inside;
      } else if (event.op == Op::send || event.op == Op::ssend || event.op == Op::rsend) {
        sums.waits[timeline.rank + static_cast<std::uint32_t>(event.peer)] += step.inside;
      } else if (is_completion(event.op)) {
        std::vector<std::int64_t> senders;
        std::vector<std::int64_t> receivers;
        const auto add_senders = [&](const auto& stretch) {
          for (std::uint64_t i = 0; i < stretch.entries; ++i) {
            const auto distance = static_cast<std::size_t>(stretch.at(i, 0));
            const Event& made = *requests[requests.size() - 1 - distance];
            const std::int64_t matched = stretch.at(i, 2);
            if (matched != no_peer) senders.push_back(matched);
            if (matched == no_peer && is_receive(made.op)) senders.push_back(made.peer);
            if (is_send(made.op) && made.op != Op::ibsend) receivers.push_back(made.peer);
          }
        };
        for_each_stretch<completed_request_fields>(
            ByteReader("a list", stream.program.lists[event.list]), add_senders);
        if (senders.empty()) senders = receivers;
        for (const std::int64_t sender : senders) {
          sums.waits[timeline.rank + static_cast<std::uint32_t>(sender)] +=
              step.inside / static_cast<double>(senders.size());
        }
      }
    });
    for (std::size_t i = 0; i < activity_count; ++i) {
      sums.seconds[i] += pending[i];
      sums.phases[0][i] += pending[i];
    }
  }
  return sums;
}

void expect_near(const ActivitySeconds& a, const ActivitySeconds& b) {
  for (std::size_t i = 0; i < activity_count; ++i) EXPECT_NEAR(a[i], b[i], 1e-9 * (1 + b[i])) << i;
}

void expect_as_plain(const RankTimeline& timeline, std::uint32_t ranks) {
  Summarizer sums(ranks, 1000);
  sums.add(timeline);
  const Summary summary = sums.take();
  const Plain plain = plain_sums(timeline);
  expect_near(summary.ranks.front().seconds, plain.seconds);
  for (const auto& [number, seconds] : plain.phases) {
    ASSERT_TRUE(summary.phases.contains(number));
    expect_near(summary.phases.at(number).seconds, seconds);
  }
  for (const auto& [awaited, seconds] : plain.waits) {
    EXPECT_NEAR(summary.awaited[awaited], seconds, 1e-9 * (1 + seconds)) << awaited;
  }
  EXPECT_EQ(summary.cut_ranks, 0U);
}

RankTimeline alone(ThreadStream stream, std::uint32_t rank = 4, std::uint32_t ranks = 9) {
  RankTimeline timeline = rank_of(rank, ranks);
  timeline.computing_seconds = 0;
  timeline.threads.push_back(std::move(stream));
  return timeline;
}

TEST(Summary, IsThatOfTheUnrolledStream) {
  for (const RankTimeline& rank : ring(4, 1000)) {
    RankTimeline timeline = rank;
    timeline.computing_seconds = 0;
    expect_as_plain(timeline, 4);
  }
  for (RankTimeline rank : stencil(3, 3, 50)) {
    rank.computing_seconds = 0;
    expect_as_plain(rank, 9);
  }
}

TEST(Summary, FollowsRequestsOutOfTheirLoop) {
  StreamMaker maker;
  maker.loop(100).add(event_of(Op::irecv, 1, 8)).add(event_of(Op::irecv, -1, 8)).end();
  maker.loop(7).add(event_of(Op::isend, 2, 8), 3).end();
  std::vector<std::int64_t> list;
  for (int i = 221; i-- > 0;) list.insert(list.end(), {i, 0, no_peer, 0});
  maker.add(event_of(Op::waitall), list);
  expect_as_plain(alone(maker.take()), 9);
}

TEST(Summary, FollowsRequestsOfTheTimeBefore) {
  StreamMaker maker;
  maker.add(event_of(Op::irecv, 3, 8)).loop(20).loop(5);
  maker.add(event_of(Op::irecv, 1, 8)).add(event_of(Op::wait), {1, 0, no_peer, 0}).end();
  maker.add(event_of(Op::irecv, -2, 8)).add(event_of(Op::wait), {1, 0, no_peer, 0}).end();
  maker.add(event_of(Op::wait), {0, 0, no_peer, 0});
  expect_as_plain(alone(maker.take()), 9);
}

TEST(Summary, SharesTimeByWhatAWildcardMatched) {
  StreamMaker maker;
  maker.loop(10).add(event_of(Op::irecv), 2);
  maker.add(event_of(Op::waitall), {1, 0, 2, 0, 0, 0, -3, 0}).end();
  const RankTimeline timeline = alone(maker.take());
  expect_as_plain(timeline, 9);
  const Summary summary = summary_of({timeline});
  EXPECT_EQ(summary.waits.size(), 2U);
}

TEST(Summary, NobodyWaitsForItselfBesideOthers) {
  const auto waits_of = [](const std::vector<std::int32_t>& peers) {
    StreamMaker maker;
    for (const std::int32_t peer : peers) maker.add(event_of(Op::irecv, peer, 8));
    maker.add(event_of(Op::waitall), newest_requests(static_cast<int>(peers.size())));
    return summary_of({alone(maker.take())}).waits;
  };
  const auto shared = waits_of({0, 1, 0});
  ASSERT_EQ(shared.size(), 1U);
  EXPECT_NE(shared[0].awaited, shared[0].waiting);
  EXPECT_EQ(waits_of({0}).size(), 1U);
}

TEST(Summary, TellsWhoTakesMessagesLate) {
  StreamMaker maker;
  maker.add(event_of(Op::ssend, 1, 8)).add(event_of(Op::bsend, 2, 8));
  maker.add(event_of(Op::isend, -1, 8)).add(event_of(Op::irecv, 2, 8));
  maker.add(event_of(Op::wait), {1, 0, no_peer, 0});
  maker.add(event_of(Op::isend, -2, 8)).add(event_of(Op::irecv, 3, 8));
  maker.add(event_of(Op::waitall), newest_requests(2));
  const Summary summary = summary_of({alone(maker.take())});
  ASSERT_EQ(summary.waits.size(), 3U);
  EXPECT_EQ(summary.waits[0].awaited, 7U);  // for the message, though a send was waited for, too
  EXPECT_FALSE(summary.waits[0].is_sending);
  EXPECT_EQ(summary.waits[1].awaited, 3U);
  EXPECT_TRUE(summary.waits[1].is_sending);
  EXPECT_EQ(summary.waits[2].awaited, 5U);
  EXPECT_TRUE(summary.waits[2].is_sending);
}

TEST(Summary, GivesPhasesWhatLiesBeforeTheirEnd) {
  StreamMaker maker;
  maker.add(event_of(Op::barrier)).add(event_of(Op::phase, no_peer, 0, 1)).loop(6);
  maker.add(event_of(Op::send, 1, 8)).loop(9).add(event_of(Op::recv, 1, 8)).end();
  maker.add(event_of(Op::phase, no_peer, 0, 2)).add(event_of(Op::barrier)).end();
  maker.add(event_of(Op::phase, no_peer, 0, 3)).add(event_of(Op::bcast));
  expect_as_plain(alone(maker.take()), 9);
}

TEST(Summary, CountsWhatWasNeverMeasuredAsNothing) {
  StreamMaker maker;
  maker.loop(5).add(event_of(Op::send, 1, 8)).end();
  ThreadStream stream = maker.take();
  stream.times[1].timed = 0;
  stream.times[1].has_first = false;
  const Summary summary = summary_of({alone(std::move(stream))});
  EXPECT_EQ(summary.ranks.front().seconds, ActivitySeconds{});
  ASSERT_EQ(summary.operations.size(), 1U);
  EXPECT_EQ(summary.operations.front().calls, 5U);
  EXPECT_EQ(summary.operations.front().bytes, 40U);
}

TEST(Summary, NamesCallsWithARequestAsTheProgramDoes) {
  StreamMaker maker;
  for (const std::uint8_t flags : {0, 0, int{nonblocking}, int{persistent}}) {
    Event event = event_of(Op::allreduce);
    event.flags = flags;
    maker.add(event);
  }
  Event put = event_of(Op::put, 1, 8);
  put.flags = nonblocking;
  maker.add(put);
  Event send = event_of(Op::isend, 1, 8);
  send.flags = nonblocking;
  maker.add(send);
  std::map<std::string, std::uint64_t> calls;
  for (const OperationSum& one : summary_of({alone(maker.take())}).operations) {
    calls[one.name] = one.calls;
  }
  const std::map<std::string, std::uint64_t> expected = {{"MPI_Allreduce", 2},
                                                         {"MPI_Iallreduce", 1},
                                                         {"MPI_Start (MPI_Allreduce)", 1},
                                                         {"MPI_Rput", 1},
                                                         {"MPI_Isend", 1}};
  EXPECT_EQ(calls, expected);
}

TEST(Summary, TellsWhatIsCoveredAndWhatHadNoProcessor) {
  StreamMaker maker;
  maker.add(event_of(Op::send, 1, 8));  // first: 10 us before, 5 us inside
  ThreadStream stream = maker.take();
  stream.events = 11;
  stream.bytes = 88;
  stream.omissions.push_back({1, 10, 80, 0.5});
  RankTimeline timeline = alone(std::move(stream));  // runs for 3 s, the last event ends at 2.5 s
  timeline.computing_seconds = 0.25;
  const Summary summary = summary_of({timeline});
  EXPECT_EQ(summary.events, 11U);
  EXPECT_EQ(summary.covered_events, 1U);
  EXPECT_EQ(summary.covered_bytes, 8U);
  const RankSeconds& rank = summary.ranks.front();
  EXPECT_DOUBLE_EQ(rank.omitted, 0.5);
  EXPECT_DOUBLE_EQ(of(rank.seconds, Activity::computing), 0.25);
  EXPECT_NEAR(rank.off_cpu, 3 - 0.5 - 0.25 - 5e-6, 1e-9);
}

/// In a window, nobody knows the requests that were made before it, nor the phase.
TEST(Summary, BehindAnOmissionOnlyWhatIsInTheWindowIsKnown) {
  StreamMaker maker;
  maker.add(event_of(Op::irecv, 1, 8)).add(event_of(Op::barrier));
  maker.add(event_of(Op::waitall), newest_requests(1));
  maker.add(event_of(Op::phase, no_peer, 0, 2));
  ThreadStream stream = maker.take();
  const double barrier = stream.times[2].first_inside * 1e-9;
  const auto summary_of_one = [](ThreadStream one) {
    Summarizer sums(9);
    sums.add(alone(std::move(one)));
    return sums.take();
  };
  const Summary whole = summary_of_one(stream);
  EXPECT_GT(whole.awaited.at(5), 0);
  EXPECT_NEAR(of(whole.phases.at(2).seconds, Activity::collective), barrier, 1e-12);
  stream.events += 100;
  stream.omissions.push_back({2, 100, 0, 0.5});
  const Summary summary = summary_of_one(std::move(stream));
  EXPECT_EQ(summary.awaited.at(5), 0);
  EXPECT_EQ(summary.most_omissions, 1U);
  EXPECT_EQ(of(summary.phases.at(2).seconds, Activity::collective), 0);
  EXPECT_NEAR(of(summary.phases.at(0).seconds, Activity::collective), barrier, 1e-12);
}

TEST(Summary, KeepsTheLongestWaits) {
  std::vector<RankTimeline> ranks;
  for (std::uint32_t rank = 0; rank < 30; ++rank) {
    StreamMaker maker;
    maker.add(event_of(Op::recv, rank == 0 ? 1 : -1, 8), (rank * 7) % 30 + 1);
    ranks.push_back(alone(maker.take(), rank, 30));
  }
  const Summary summary = summary_of(ranks);
  ASSERT_EQ(summary.waits.size(), 20U);
  for (std::size_t i = 0; i < 20; ++i) {
    EXPECT_EQ(summary.waits[i].waiting * 7 % 30, 29 - i);
  }
}

TEST(Summary, RefusesSumsThatDoNotFit) {
  StreamMaker maker;
  maker.add(event_of(Op::send, 1, std::uint64_t{1} << 40U), std::uint64_t{1} << 24U);
  RankTimeline timeline = ring(2, 1).front();
  timeline.threads = {maker.take()};
  Summarizer sums(2);
  EXPECT_THROW(sums.add(timeline), Error);
}

}  // namespace
}  // namespace kith::timeline
