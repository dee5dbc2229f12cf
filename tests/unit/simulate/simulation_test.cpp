#include "simulate/simulation.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "jobs.hpp"
#include "kith/error.hpp"
#include "kith/traffic.hpp"

namespace kith::simulate {
namespace {

constexpr double exact = 1e-12;
constexpr double rendezvous = 3;  ///< latencies: twice before the bytes, once with them

TEST(Simulation, PingPong) {
  TestBed bed("tree:2x1");
  JobMaker maker(2);
  maker.pass(0, 1, 10'000).pass(1, 0, 10'000);
  const SimulatedRun run = bed.run(maker.job());
  EXPECT_NEAR(run.seconds, 2 * alone(10'000), exact);
  EXPECT_EQ(run.messages, 2U);
  EXPECT_NEAR(run.rank_end[0], run.seconds, exact);
  EXPECT_NEAR(run.rank_end[1], alone(10'000), exact);  // its send is buffered
  EXPECT_EQ(run.last_rank, 0U);
  EXPECT_NEAR(run.waiting, 3 * alone(10'000), exact);
}

TEST(Simulation, CallsTakeTheirTime) {
  TestBed bed("tree:2x1");
  bed.options.send_overhead = 3e-6;
  bed.options.receive_overhead = 50e-6;
  JobMaker maker(2);
  maker.pass(0, 1, 1000);
  EXPECT_NEAR(bed.run(maker.job()).rank_end[0], 3e-6, exact);
  // The message comes before its receive is posted.
  EXPECT_NEAR(bed.run(maker.job()).seconds, 50e-6, exact);
  bed.options.receive_overhead = 1e-6;
  EXPECT_NEAR(bed.run(maker.job()).seconds, 3e-6 + alone(1000), exact);
}

TEST(Simulation, MessagesWithoutBytesTakeTheLatency) {
  TestBed bed("tree:2x1");
  JobMaker maker(2);
  maker.pass(0, 1, 0);
  EXPECT_NEAR(bed.run(maker.job()).seconds, test_latency, exact);
}

TEST(Simulation, TwoMessagesOnACableTakeTwiceAsLong) {
  TestBed bed("tree:2x2");
  JobMaker maker(4);
  maker.pass(0, 2, 50'000).pass(1, 3, 50'000);
  const SimulatedRun run = bed.run(maker.job());
  EXPECT_NEAR(run.rank_end[2], alone(100'000), exact);
  EXPECT_NEAR(run.rank_end[3], alone(100'000), exact);
  ASSERT_EQ(run.links.size(), 2U);
  EXPECT_EQ(bed.links->links()[run.links[0].link].name, "node0 up");
  EXPECT_EQ(bed.links->links()[run.links[1].link].name, "node1 down");
  EXPECT_EQ(run.links[0].bytes, 100'000);
  EXPECT_NEAR(run.links[0].utilisation, 1e-3 / run.seconds, exact);
  // In the other order both stay in their hosts.
  const Mapping other{{Slot(0), Slot(2), Slot(1), Slot(3)}};
  EXPECT_LT(bed.run(maker.job(), other).seconds, alone(50'000) / 2);
}

/// Seconds of messages on a link, with their headers.
double on_link(double bytes, unsigned messages = 1) {
  return (bytes + messages * static_cast<double>(bytes_per_message)) /
         (test_bandwidth * (1 - besides_messages));
}

/// Of a queued message that has its links for itself.
double queued(double bytes) {
  return test_latency + on_link(bytes);
}

/// Of a head or an answer, whole at each of its two links.
double packet() {
  return test_latency + 2 * on_link(0);
}

/// What connecting takes: four packets, of which the other end has to be in MPI for the last two.
constexpr double connecting_packets = 4;

TEST(Simulation, QueuedRanksConnectBeforeTheyTalk) {
  TestBed bed("tree:2x1");
  bed.options.sharing = Sharing::queued;
  JobMaker maker(2);
  maker.pass(0, 1, 10'000);
  const double connected = connecting_packets * packet();
  SimulatedRun run = bed.run(maker.job());
  EXPECT_NEAR(run.seconds, connected + queued(10'000), exact);
  EXPECT_NEAR(run.rank_end[0], connected, exact);  // then its socket has the message
  maker.pass(0, 1, 10'000).pass(1, 0, 10'000);
  run = bed.run(maker.job());
  EXPECT_NEAR(run.seconds, connected + test_latency + on_link(20'000, 2) + queued(10'000), exact);
  // One that computes does not answer.
  JobMaker late(2);
  late.compute(1, 1).pass(0, 1, 10'000);
  EXPECT_NEAR(bed.run(late.job()).seconds, 1 + packet() + queued(10'000), exact);
}

TEST(Simulation, InAHostNobodyConnects) {
  TestBed bed("tree:1x2");
  JobMaker maker(2);
  maker.pass(0, 1, 10'000);
  const double fair = bed.run(maker.job()).seconds;
  bed.options.sharing = Sharing::queued;
  EXPECT_NEAR(bed.run(maker.job()).seconds, fair, fair * 0.02);
}

/// The one behind the other, as sockets take them in.
TEST(Simulation, QueuedMessagesPassOneByOne) {
  TestBed bed("tree:2x2");
  bed.options.sharing = Sharing::queued;
  JobMaker maker(4);
  maker.pass(0, 2, 0).pass(1, 3, 0).pass(2, 0, 0).pass(3, 1, 0);
  const double met = bed.run(maker.job()).seconds;
  maker.pass(0, 2, 50'000).pass(1, 3, 50'000);
  const SimulatedRun run = bed.run(maker.job());
  constexpr double packets_apart = 2e-6;
  EXPECT_NEAR(run.rank_end[2], met + queued(50'000), packets_apart);
  EXPECT_NEAR(run.rank_end[3], met + test_latency + on_link(100'000, 2), packets_apart);
  EXPECT_NEAR(run.links[0].utilisation, 1e-3 / run.seconds, 0.01);
}

/// Head, answer, bytes: the path takes the network three times, and waits for who comes late.
TEST(Simulation, QueuedLargeMessagesAreAnswered) {
  TestBed bed("tree:2x1");
  bed.options.sharing = Sharing::queued;
  JobMaker prompt(2);
  prompt.pass(0, 1, 200'000);
  const SimulatedRun first = bed.run(prompt.job());
  const double asked = (connecting_packets + 2) * packet();
  EXPECT_NEAR(first.seconds, asked + queued(200'000), exact);
  // Its socket has the message.
  EXPECT_NEAR(first.rank_end[0], asked, exact);
  JobMaker late(2);
  late.pass(0, 1, 0).compute(1, 1).pass(0, 1, 200'000);
  const SimulatedRun run = bed.run(late.job());
  const double met = connecting_packets * packet() + packet();
  EXPECT_NEAR(run.seconds, met + 1 + packet() + queued(200'000), exact);
  ASSERT_EQ(run.path.size(), 3U);  // the first message, computing, the second
  EXPECT_EQ(run.path[1].rank, 1U);
  EXPECT_NEAR(run.path[1].seconds, 1, exact);
}

/// One that begins when half of the other is there: each has the whole cable half of the time.
TEST(Simulation, ALaterMessageSlowsTheFirst) {
  TestBed bed("tree:2x2");
  JobMaker maker(4);
  maker.compute(1, 0.25e-3).pass(0, 2, 50'000).pass(1, 3, 50'000);
  const SimulatedRun run = bed.run(maker.job());
  EXPECT_NEAR(run.rank_end[2], test_latency + 0.75e-3, exact);
  EXPECT_NEAR(run.rank_end[3], test_latency + 1e-3, exact);
}

TEST(Simulation, LateReceivers) {
  TestBed bed("tree:2x1");
  JobMaker maker(2);
  maker.compute(1, 1e-3).pass(0, 1, 10'000);
  SimulatedRun run = bed.run(maker.job());
  EXPECT_NEAR(run.rank_end[0], 0, exact);
  EXPECT_NEAR(run.rank_end[1], 1e-3, exact);
  bed.options.eager_limit = 9'999;
  run = bed.run(maker.job());
  EXPECT_NEAR(run.rank_end[0], 1e-3 + alone(10'000, rendezvous), exact);
  EXPECT_NEAR(run.rank_end[1], 1e-3 + alone(10'000, rendezvous), exact);
  EXPECT_NEAR(run.waiting, run.seconds + alone(10'000, rendezvous), exact);
}

TEST(Simulation, LargeMessagesOfARankThatComputes) {
  TestBed bed("tree:2x1");
  JobMaker maker(2);
  const std::uint32_t number = maker.message(0, 1, 1'000'000);
  maker.post(0, Kind::send, number).compute(0, 5e-3).call(0, Kind::wait_send, number);
  maker.call(1, Kind::receive, number);
  bed.options.progress = Progress::always;
  EXPECT_NEAR(bed.run(maker.job()).seconds, alone(1'000'000, rendezvous), exact);
  bed.options.progress = Progress::in_calls;
  EXPECT_NEAR(bed.run(maker.job()).seconds, 5e-3 + alone(1'000'000, rendezvous), exact);
}

/// What has begun goes on while both compute.
TEST(Simulation, SmallMessagesPassWhileRanksCompute) {
  TestBed bed("tree:2x1");
  JobMaker maker(2);
  const std::uint32_t number = maker.message(0, 1, 20'000);
  maker.post(0, Kind::send, number).compute(0, 1e-3).call(0, Kind::wait_send, number);
  maker.post(1, Kind::receive, number).compute(1, 1e-3).call(1, Kind::wait_receive, number);
  EXPECT_NEAR(bed.run(maker.job()).seconds, 1e-3, exact);
}

TEST(Simulation, RanksShareProcessors) {
  JobMaker maker(2);
  maker.compute(0, 1).compute(1, 3);
  TestBed two("tree:1x2");
  EXPECT_NEAR(two.run(maker.job()).seconds, 3, exact);
  EXPECT_NEAR(two.run(maker.job()).computing, 4, exact);
  two.options.processors = 1;
  const SimulatedRun shared = two.run(maker.job());
  EXPECT_NEAR(shared.rank_end[0], 2, 1e-9);
  EXPECT_NEAR(shared.rank_end[1], 4, 1e-9);
  TestBed one("tree:1x1");  // a host has as many as slots
  EXPECT_NEAR(one.run(maker.job()).seconds, 4, 1e-9);
  TestBed hosts("tree:2x1");
  EXPECT_NEAR(hosts.run(maker.job()).seconds, 3, 1e-9);
  hosts.options.processors = 1.5;  // of all hosts together
  EXPECT_NEAR(hosts.run(maker.job()).rank_end[0], 4 / 3.0, 1e-9);
}

/// Calls take processors, too: two ranks that send take turns on one.
TEST(Simulation, CallsShareProcessors) {
  TestBed bed("tree:2x2");
  bed.options.send_overhead = 1e-3;
  JobMaker maker(4);
  maker.pass(0, 2, 0).pass(1, 3, 0);
  EXPECT_NEAR(bed.run(maker.job()).rank_end[0], 1e-3, exact);
  bed.options.processors = 1;
  EXPECT_NEAR(bed.run(maker.job()).rank_end[0], 4e-3, exact);  // and those that wait
}

TEST(Simulation, ComputationOfAnotherSpeed) {
  TestBed bed("tree:2x1");
  JobMaker maker(2);
  maker.compute(0, 1e-3).pass(0, 1, 1000);
  bed.options.compute_factor = 0.5;
  EXPECT_NEAR(bed.run(maker.job()).seconds, 0.5e-3 + alone(1000), exact);
}

TEST(Simulation, ThreadsWaitForEachOthersMessages) {
  TestBed bed("tree:2x1");
  JobMaker maker(2);
  const std::uint32_t thread = maker.add_thread(0);
  const std::uint32_t number = maker.message(0, 1, 100'000);
  const std::uint32_t back = maker.message(1, 0, 100'000);
  maker.post(0, Kind::send, number).post(0, Kind::receive, back);
  maker.call(thread, Kind::wait_send, number).call(thread, Kind::wait_receive, back);
  maker.compute(1, 1e-3).call(1, Kind::receive, number).call(1, Kind::send, back);
  const SimulatedRun run = bed.run(maker.job());
  EXPECT_NEAR(run.seconds, 1e-3 + 2 * alone(100'000, rendezvous), exact);
  EXPECT_NEAR(run.rank_end[0], run.seconds, exact);
}

TEST(Simulation, MessagesWithOneEndTakeNoTime) {
  TestBed bed("tree:2x1");
  JobMaker maker(2);
  maker.pass(0, 1, 1000);
  maker.job().messages[0].is_sent = false;
  EXPECT_EQ(bed.run(maker.job()).seconds, 0);
  EXPECT_EQ(bed.run(maker.job()).messages, 0U);
}

TEST(Simulation, MessagesToOneself) {
  TestBed bed("tree:2x1");
  JobMaker maker(2);
  const std::uint32_t number = maker.message(1, 1, 1'000'000);
  maker.post(1, Kind::receive, number).call(1, Kind::send, number);
  maker.call(1, Kind::wait_receive, number);
  const double seconds = bed.run(maker.job()).seconds;
  EXPECT_NEAR(seconds, 3 * 0.5e-6 + 1e-4, exact);  // 0.5 us and 10 000 MB/s are assumed
}

TEST(Simulation, ADeadlockNamesBothRanks) {
  TestBed bed("tree:4x1");
  JobMaker maker(4);
  const std::uint32_t there = maker.message(1, 3, 100);
  const std::uint32_t back = maker.message(3, 1, 200);
  maker.call(1, Kind::receive, back).call(1, Kind::send, there);
  maker.call(3, Kind::receive, there).call(3, Kind::send, back);
  try {
    bed.run(maker.job());
    FAIL() << "it ends";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    const std::string text = error.what();
    EXPECT_NE(text.find("rank 1 waits for ever for a message of 200 bytes from rank 3"),
              std::string::npos)
        << text;
  }
}

TEST(Simulation, TheCriticalPathOfAChain) {
  TestBed bed("tree:4x1");
  JobMaker maker(4);
  maker.compute(0, 1e-3).pass(0, 1, 1000).compute(1, 2e-3).pass(1, 2, 2000).compute(2, 3e-3);
  maker.compute(3, 5.9e-3);  // beside it
  const SimulatedRun run = bed.run(maker.job());
  EXPECT_EQ(run.last_rank, 2U);
  ASSERT_EQ(run.path.size(), 5U);
  double now = 0;
  for (const PathPart& part : run.path) {
    EXPECT_NEAR(part.begin, now, exact);
    now += part.seconds;
  }
  EXPECT_NEAR(now, run.seconds, exact);
  EXPECT_EQ(run.path[1].kind, PathPart::Kind::message);
  EXPECT_EQ(run.path[1].rank, 0U);
  EXPECT_EQ(run.path[1].to, 1U);
  EXPECT_EQ(run.path[1].bytes, 1000U);
  EXPECT_NEAR(run.path[1].latency, test_latency, exact);
  EXPECT_EQ(run.path[4].kind, PathPart::Kind::compute);
  EXPECT_EQ(run.path[4].rank, 2U);
  EXPECT_NEAR(run.path[4].seconds, 3e-3, exact);
  bed.options.wants_critical_path = false;
  EXPECT_TRUE(bed.run(maker.job()).path.empty());
}

/// What a late receiver holds up is of the receiver.
TEST(Simulation, TheCriticalPathGoesOverTheLateRank) {
  TestBed bed("tree:2x1");
  JobMaker maker(2);
  maker.compute(1, 1e-3).pass(0, 1, 1'000'000);
  const SimulatedRun run = bed.run(maker.job());
  ASSERT_EQ(run.path.size(), 2U);
  EXPECT_EQ(run.path[0].rank, 1U);
  EXPECT_NEAR(run.path[0].seconds, 1e-3, exact);
  EXPECT_NEAR(run.path[1].latency, rendezvous * test_latency, exact);
}

/// Steps in which random ranks send to each other, small and large, and compute.
JobReplay random_job(std::uint32_t ranks, std::uint32_t seed) {
  std::mt19937 random(seed);
  JobMaker maker(ranks);
  for (int step = 0; step < 30; ++step) {
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t i = 0; i < ranks; ++i) {
      const auto from = static_cast<std::uint32_t>(random() % ranks);
      const auto to = static_cast<std::uint32_t>(random() % ranks);
      const std::uint32_t number = maker.message(from, to, random() % 200'000);
      maker.post(from, Kind::send, number).post(to, Kind::receive, number);
      numbers.push_back(number);
    }
    for (std::uint32_t i = 0; i < ranks; ++i)
      maker.compute(i, 1e-6 * static_cast<double>(random() % 1000));
    for (const std::uint32_t number : numbers) {
      const Message& message = maker.job().messages[number];
      maker.call(message.sender, Kind::wait_send, number);
      maker.call(message.receiver, Kind::wait_receive, number);
    }
  }
  return maker.job();
}

TEST(Simulation, IsDeterministic) {
  for (const char* spec : {"tree:2x4x2", "torus:4x4", "dragonfly:4,2,2", "tree:1x16"}) {
    for (const Progress progress : {Progress::in_calls, Progress::always}) {
      const JobReplay job = random_job(16, 7);
      TestBed bed(spec);
      bed.options.progress = progress;
      const SimulatedRun a = bed.run(job);
      const SimulatedRun b = bed.run(job);
      EXPECT_EQ(a.messages, job.messages.size());
      EXPECT_EQ(a.seconds, b.seconds);
      EXPECT_EQ(a.rank_end, b.rank_end);
      EXPECT_EQ(a.waiting, b.waiting);
      ASSERT_EQ(a.path.size(), b.path.size());
      double path = 0;
      for (std::size_t i = 0; i < a.path.size(); ++i) {
        EXPECT_EQ(a.path[i].begin, b.path[i].begin);
        EXPECT_EQ(a.path[i].rank, b.path[i].rank);
        path += a.path[i].seconds;
      }
      EXPECT_NEAR(path, a.seconds, 1e-9);
      ASSERT_EQ(a.links.size(), b.links.size());
      for (std::size_t i = 0; i < a.links.size(); ++i) {
        EXPECT_EQ(a.links[i].link, b.links[i].link);
        EXPECT_EQ(a.links[i].utilisation, b.links[i].utilisation);
        EXPECT_LE(a.links[i].utilisation, 1 + 1e-9);
      }
    }
  }
}

}  // namespace
}  // namespace kith::simulate
