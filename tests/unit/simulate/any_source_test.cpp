#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "jobs.hpp"

namespace kith::simulate {
namespace {

/// Rank 0 hands out work and takes results from any, in the order in which they came in a recorded
/// run.
class MasterJob {
 public:
  explicit MasterJob(std::uint32_t workers) : maker_(workers + 1) {}

  MasterJob& work(std::uint32_t worker, double seconds) {
    maker_.compute(worker, seconds);
    return *this;
  }
  MasterJob& result(std::uint32_t worker, std::uint64_t bytes, bool from_any = true) {
    const std::uint32_t number = maker_.message(worker, 0, bytes);
    maker_.job().messages[number].from_any = from_any;
    maker_.call(worker, Kind::send, number).call(0, Kind::receive, number);
    return *this;
  }
  MasterJob& answer(std::uint32_t worker, std::uint64_t bytes, bool waits = true) {
    const std::uint32_t number = maker_.message(0, worker, bytes);
    if (waits) {
      maker_.call(0, Kind::send, number);
    } else {
      maker_.post(0, Kind::send, number);
    }
    maker_.call(worker, Kind::receive, number);
    return *this;
  }
  JobReplay& job() { return maker_.job(); }

 private:
  JobMaker maker_;
};

/// In the recorded run the first worker was first; here it is slow.
MasterJob slow_first(bool from_any, bool answers_first = true) {
  MasterJob master(2);
  master.work(1, 1).work(2, 0.1);
  master.result(1, 100, from_any).answer(answers_first ? 1 : 2, 100);
  master.result(2, 100, from_any).answer(answers_first ? 2 : 1, 100);
  master.work(1, 0.2).work(2, 3);
  return master;
}

constexpr double close = 1e-3;

TEST(AnySource, WhoComesFirstIsAnsweredFirst) {
  for (const Sharing sharing : {Sharing::fair, Sharing::queued}) {
    TestBed bed("tree:3x1");
    bed.options.sharing = sharing;
    const SimulatedRun run = bed.run(slow_first(true).job());
    // The second takes what the first did after its answer, and the other way round.
    EXPECT_NEAR(run.rank_end[2], 0.3, close);
    EXPECT_NEAR(run.rank_end[1], 4, close);
    EXPECT_EQ(run.messages, 4U);
    // The path names whose work it is: the three seconds are the second one's.
    ASSERT_FALSE(run.path.empty());
    EXPECT_EQ(run.path.back().kind, PathPart::Kind::compute);
    EXPECT_EQ(run.path.back().rank, 2U);
  }
}

TEST(AnySource, ReceivesThatNameTheirSourceWaitForIt) {
  TestBed bed("tree:3x1");
  const SimulatedRun run = bed.run(slow_first(false).job());
  EXPECT_NEAR(run.rank_end[2], 4, close);
  EXPECT_NEAR(run.rank_end[1], 1.2, close);
}

/// Whom it answers does not depend on whom it received from.
TEST(AnySource, WhoIsNotAnsweredDoesNotTrade) {
  TestBed bed("tree:3x1");
  const SimulatedRun run = bed.run(slow_first(true, false).job());
  EXPECT_NEAR(run.rank_end[1], 1.2, close);
  EXPECT_NEAR(run.rank_end[2], 4, close);
}

/// Masters and workers of all kinds: whatever they trade, each message passes once.
TEST(AnySource, NothingIsLostOrDoubled) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](unsigned limit) { return static_cast<std::uint32_t>(random() % limit); };
    const std::uint32_t workers = 2 + below(6);
    MasterJob master(workers);
    const auto bytes = [&] { return std::uint64_t{1} << below(18); };
    for (std::uint32_t worker = 1; worker <= workers; ++worker) {
      master.answer(worker, bytes(), below(2) == 0);
    }
    for (int task = 0; task < 40; ++task) {
      const std::uint32_t worker = 1 + below(workers);
      master.work(worker, 1e-4 * below(20)).result(worker, bytes(), below(10) > 0);
      master.answer(worker, bytes(), below(2) == 0);
    }
    for (const Sharing sharing : {Sharing::fair, Sharing::queued}) {
      TestBed bed(seed % 2 == 0 ? "tree:8x1" : "tree:2x4");
      bed.options.sharing = sharing;
      const SimulatedRun run = bed.run(master.job());
      EXPECT_EQ(run.messages, master.job().messages.size()) << seed;
      EXPECT_EQ(bed.run(master.job()).seconds, run.seconds) << seed;
    }
  }
}

}  // namespace
}  // namespace kith::simulate
