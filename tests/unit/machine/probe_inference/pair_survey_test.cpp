#include "machine/probe_inference/probe_inference.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <functional>
#include <set>

#include "core/rng.hpp"

namespace kith {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

/// Hosts on switches of `size`, `pods` switches to a pod; a pair takes `seconds`.
class Network {
 public:
  Network(std::uint32_t hosts, std::uint32_t size, std::uint32_t pods, double seconds,
          double noise = 0)
      : hosts_(hosts), size_(size), pods_(pods), seconds_(seconds), noise_(noise) {}

  Survey survey(double time_limit) {
    const SurveyMeans means{
        [this](std::span<MeasuredPair> round) { measure(round); }, [this] { return clock; },
        [](std::size_t done, std::size_t planned) { EXPECT_LT(done, planned); }};
    return survey_pairs(hosts_, time_limit, means);
  }

  std::vector<std::uint32_t> blocks(std::uint32_t size) const {
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t host = 0; host < hosts_; ++host) numbers.push_back(host / size);
    return numbers;
  }

  double clock = 0;
  std::size_t at_once = 0;     ///< most pairs in a round
  std::size_t measured = 0;    ///< pairs in all, each time counted
  std::size_t collisions = 0;  ///< pairs that shared a cable with another one of their round
  std::function<double(const MeasuredPair&, double)> disturb = [](const MeasuredPair&,
                                                                  double cost) { return cost; };

 private:
  void measure(std::span<MeasuredPair> round) {
    clock += seconds_;
    at_once = std::max(at_once, round.size());
    measured += round.size();
    std::set<std::uint64_t> cables;
    for (MeasuredPair& pair : round) {
      ASSERT_NE(pair.a, pair.b);
      for (const std::uint64_t cable : cables_between(pair)) {
        collisions += !cables.insert(cable).second;
      }
      const double noise = 1 - noise_ + 2 * noise_ * static_cast<double>(rng_.below(1001)) / 1000;
      pair.cost = disturb(pair, cost(pair) * noise);
      pair.latency_us = 50;
    }
  }

  bool same(const MeasuredPair& pair, std::uint32_t size) const {
    return pair.a / size == pair.b / size;
  }

  double cost(const MeasuredPair& pair) const {
    return same(pair, size_) ? 1000 : same(pair, size_ * pods_) ? 3000 : 10000;
  }

  /// Of both hosts, of their switches where they differ, of their pods where those do.
  std::vector<std::uint64_t> cables_between(const MeasuredPair& pair) const {
    std::vector<std::uint64_t> cables{pair.a, pair.b};
    const std::uint64_t first[] = {1ULL << 32, 1ULL << 33};
    for (const std::uint32_t host : {pair.a, pair.b}) {
      if (!same(pair, size_)) cables.push_back(first[0] + host / size_);
      if (!same(pair, size_ * pods_)) cables.push_back(first[1] + host / (size_ * pods_));
    }
    return cables;
  }

  std::uint32_t hosts_;
  std::uint32_t size_;
  std::uint32_t pods_;
  double seconds_;
  double noise_;
  Rng rng_{7};
};

TEST(PairSurvey, NothingToMeasure) {
  for (const std::uint32_t hosts : {0U, 1U}) {
    Network network(hosts, 4, 1, 1);
    EXPECT_THAT(network.survey(10).pairs, IsEmpty());
    EXPECT_EQ(network.measured, 0);
  }
}

TEST(PairSurvey, EveryPairAloneWhereThereIsTime) {
  Network network(8, 4, 2, 0.3);
  const Survey survey = network.survey(60);
  EXPECT_FALSE(survey.out_of_time);
  EXPECT_THAT(survey.pairs, SizeIs(28));
  EXPECT_EQ(network.at_once, 1);
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (const MeasuredPair& pair : survey.pairs) pairs.insert({pair.a, pair.b});
  EXPECT_THAT(pairs, SizeIs(28));
}

TEST(PairSurvey, PivotsWhereThereAreTooMany) {
  Network network(500, 20, 5, 0.005, 0.15);
  const Survey survey = network.survey(60);
  EXPECT_FALSE(survey.out_of_time);
  EXPECT_LT(network.clock, 60);
  EXPECT_LT(survey.pairs.size(), 500 * 499 / 2 / 5);
  EXPECT_GT(network.at_once, 4);
  EXPECT_EQ(network.collisions, 0);
  EXPECT_THAT(infer_levels(500, survey.pairs).switch_of,
              ElementsAre(network.blocks(100), network.blocks(20)));
}

TEST(PairSurvey, ManyHostsThatAreAllAlike) {
  Network network(2000, 2000, 1, 0.001, 0.15);
  const Survey survey = network.survey(60);
  EXPECT_THAT(infer_levels(2000, survey.pairs).switch_of, IsEmpty());
  EXPECT_LT(survey.pairs.size(), 3 * 2000);
  EXPECT_EQ(network.at_once, 1);  // they may share anything
}

TEST(PairSurvey, EndsAtTheLimit) {
  Network network(50, 10, 1, 1);
  const Survey survey = network.survey(70);
  EXPECT_TRUE(survey.out_of_time);
  EXPECT_LE(network.clock, 71);
  EXPECT_GE(survey.pairs.size(), 70);
}

TEST(PairSurvey, EndsAtTheLimitWhenLaterPairsTakeLonger) {
  Network network(10, 10, 1, 0.1);
  network.disturb = [&](const MeasuredPair& pair, double cost) {
    if (pair.a != 0) network.clock += 5;
    return cost;
  };
  EXPECT_TRUE(network.survey(20).out_of_time);
  EXPECT_LE(network.clock, 26);
}

TEST(PairSurvey, WhatDisturbsForAWhileMisleadsNobody) {
  Network network(8, 4, 2, 0.1);
  network.disturb = [&](const MeasuredPair&, double cost) {
    return network.clock < 0.75 ? 5 * cost : cost;  // all that host 0 measures at first
  };
  const Survey survey = network.survey(60);
  EXPECT_EQ(network.measured, 2 * 28);
  for (const MeasuredPair& pair : survey.pairs) {
    EXPECT_EQ(pair.cost, pair.a / 4 == pair.b / 4 ? 1000 : 3000) << pair.a << " " << pair.b;
  }
}

TEST(PairSurvey, ContradictionsAreMeasuredAgain) {
  Network network(8, 4, 2, 0.01);
  int disturbed = 0;
  network.disturb = [&](const MeasuredPair& pair, double cost) {
    return pair.a == 2 && pair.b == 3 && disturbed++ < 2 ? 40 * cost : cost;
  };
  const Survey survey = network.survey(60);
  EXPECT_EQ(network.measured, 2 * 28 + 2);
  for (const MeasuredPair& pair : survey.pairs) {
    EXPECT_EQ(pair.cost, pair.a / 4 == pair.b / 4 ? 1000 : 3000) << pair.a << " " << pair.b;
  }
}

}  // namespace
}  // namespace kith
