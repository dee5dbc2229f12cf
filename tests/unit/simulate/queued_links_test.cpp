#include "simulate/queued_links.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <map>
#include <vector>

namespace kith::simulate {
namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();
constexpr double exact = 1e-9;

/// Links of a million bytes a second, messages of thousands.
class Bed {
 public:
  explicit Bed(std::uint32_t links, double burst = 0) {
    for (std::uint32_t i = 0; i < links; ++i) queues_.add_link(1e6, burst);
  }
  std::uint32_t route(std::initializer_list<std::uint32_t> links, double latency = 0) {
    const std::vector<std::uint32_t> all(links);
    return queues_.add_route(all, unlimited, latency);
  }
  void send(std::uint32_t route, double bytes, double now) {
    pass_until(now);
    queues_.start(route, bytes, sent_++, now);
  }
  /// When each message was there, in the order in which they were sent.
  std::vector<double> ends() {
    pass_until(unlimited);
    std::vector<double> ends;
    for (const auto& [item, end] : ends_) ends.push_back(end);
    return ends;
  }
  const QueuedLinks& queues() const { return queues_; }

 private:
  void pass_until(double now) {
    while (queues_.next() <= now && queues_.next() < unlimited) {
      const double then = queues_.next();
      std::uint64_t item = 0;
      while (queues_.end_one(then, item)) ends_[item] = then;
    }
  }

  QueuedLinks queues_;
  std::uint64_t sent_ = 0;
  std::map<std::uint64_t, double> ends_;
};

TEST(QueuedLinks, OneMessageTakesItsBytesOnceWhateverItsLinks) {
  Bed bed(3);
  bed.send(bed.route({0, 1, 2}, 1e-3), 10e3, 0);
  EXPECT_THAT(bed.ends(), testing::ElementsAre(testing::DoubleNear(11e-3, exact)));
  EXPECT_EQ(bed.queues().carried(2), 10e3);
}

TEST(QueuedLinks, OneBehindTheOther) {
  Bed bed(2);
  const std::uint32_t route = bed.route({0, 1});
  bed.send(route, 10e3, 0);
  bed.send(route, 5e3, 1e-3);
  EXPECT_THAT(bed.ends(), testing::ElementsAre(testing::DoubleNear(10e-3, exact),
                                               testing::DoubleNear(15e-3, exact)));
}

TEST(QueuedLinks, TwoSendersShareTheLinkOfTheirReceiver) {
  Bed bed(3);
  bed.send(bed.route({0, 2}), 10e3, 0);
  bed.send(bed.route({1, 2}), 10e3, 0);
  EXPECT_THAT(bed.ends(), testing::Each(testing::DoubleNear(20e-3, exact)));
}

/// What was sent first but comes late takes nobody's turn.
TEST(QueuedLinks, WhoComesFirstLeavesFirst) {
  Bed bed(4);
  bed.send(bed.route({0, 3}), 100e3, 0);
  const std::uint32_t held_up = bed.route({0, 2});
  bed.send(held_up, 10e3, 1e-3);
  bed.send(bed.route({1, 2}), 10e3, 2e-3);
  EXPECT_THAT(bed.ends(), testing::ElementsAre(testing::DoubleNear(100e-3, exact),
                                               testing::DoubleNear(110e-3, exact),
                                               testing::DoubleNear(12e-3, exact)));
}

TEST(QueuedLinks, APacketOvertakesWhatIsStillInSockets) {
  Bed bed(2);
  const std::uint32_t route = bed.route({0, 1});
  bed.send(route, 500e3, 0);
  bed.send(route, 0, 1e-3);
  const std::vector<double> ends = bed.ends();
  EXPECT_LT(ends[1], 0.1);
  EXPECT_GT(ends[1], 0.01);
}

/// 4 kB pass at once; the first message takes them all, and they come back in 4 ms.
TEST(QueuedLinks, APauseLetsABurstThrough) {
  Bed bed(2, 4e3);
  const std::uint32_t route = bed.route({0, 1});
  bed.send(route, 10e3, 0);
  bed.send(route, 3e3, 6e-3);    // no pause
  bed.send(route, 10e3, 11e-3);  // of 2 ms
  bed.send(route, 3e3, 50e-3);
  EXPECT_THAT(bed.ends(), testing::ElementsAre(
                              testing::DoubleNear(6e-3, exact), testing::DoubleNear(9e-3, exact),
                              testing::DoubleNear(19e-3, exact), testing::DoubleNear(50e-3, 1e-6)));
}

TEST(QueuedLinks, NoBytesAreLostOnManyLinks) {
  // All messages end at one link: it is busy from the first byte to the last.
  Bed bed(9);
  for (std::uint32_t from = 0; from < 6; ++from) {
    bed.send(bed.route({from, 6 + from % 2, 8}), 10e3, 1e-3 * from);
  }
  const std::vector<double> ends = bed.ends();
  EXPECT_NEAR(*std::ranges::max_element(ends), 60e-3, 2e-3);
  EXPECT_EQ(bed.queues().carried(8), 60e3);
}

}  // namespace
}  // namespace kith::simulate
