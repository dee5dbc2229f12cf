#include "machine/probe_inference/probe_inference.hpp"

#include <gmock/gmock.h>

#include <functional>

#include "core/rng.hpp"

namespace kith {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

using Between = std::function<double(std::uint32_t, std::uint32_t)>;

/// Every pair of `hosts`; each value times something from 1 - noise to 1 + noise.
std::vector<MeasuredPair> measured(std::uint32_t hosts, const Between& cost, double noise = 0,
                                   std::uint64_t seed = 1) {
  Rng rng(seed);
  const auto noisy = [&] {
    return 1 - noise + 2 * noise * static_cast<double>(rng.below(1000001)) / 1e6;
  };
  std::vector<MeasuredPair> pairs;
  for (std::uint32_t a = 0; a < hosts; ++a) {
    for (std::uint32_t b = a + 1; b < hosts; ++b) {
      pairs.push_back({a, b, cost(a, b) * noisy(), 200 * noisy()});
    }
  }
  return pairs;
}

Between flat() {
  return [](std::uint32_t, std::uint32_t) { return 85000.0; };
}

/// Groups of `size`, within them 85000, across `across` times as much.
Between groups_of(std::uint32_t size, double across = 3) {
  return
      [=](std::uint32_t a, std::uint32_t b) { return a / size == b / size ? 85e3 : across * 85e3; };
}

Between three_layers() {
  return [](std::uint32_t a, std::uint32_t b) {
    return a / 4 == b / 4 ? 1e3 : a / 16 == b / 16 ? 3e3 : 12e3;
  };
}

std::vector<std::uint32_t> blocks(std::uint32_t hosts, std::uint32_t size) {
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t host = 0; host < hosts; ++host) numbers.push_back(host / size);
  return numbers;
}

TEST(InferLevels, OneHostAndNone) {
  EXPECT_THAT(infer_levels(0, {}).switch_of, IsEmpty());
  EXPECT_THAT(infer_levels(1, {}).switch_of, IsEmpty());
  EXPECT_EQ(infer_levels(1, {}).levels(), 1);
}

TEST(InferLevels, TwoHostsMeetAtTheNetwork) {
  EXPECT_THAT(infer_levels(2, measured(2, flat())).switch_of, IsEmpty());
}

TEST(InferLevels, FlatStaysFlat) {
  for (const std::uint32_t hosts : {3U, 4U, 8U, 30U}) {
    EXPECT_THAT(infer_levels(hosts, measured(hosts, flat())).switch_of, IsEmpty()) << hosts;
  }
}

TEST(InferLevels, NoiseOfTwentyPerCentMakesNoLevel) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    for (const std::uint32_t hosts : {3U, 4U, 5U, 6U, 8U, 12U, 24U}) {
      const auto levels = infer_levels(hosts, measured(hosts, flat(), 0.2, seed));
      ASSERT_THAT(levels.switch_of, IsEmpty()) << hosts << " hosts, seed " << seed;
    }
  }
}

TEST(InferLevels, TwoSwitchesOfFour) {
  const auto levels = infer_levels(8, measured(8, groups_of(4)));
  EXPECT_THAT(levels.switch_of, ElementsAre(ElementsAre(0, 0, 0, 0, 1, 1, 1, 1)));
  EXPECT_EQ(levels.levels(), 2);
  EXPECT_EQ(levels.meeting(0, 3), 1);
  EXPECT_EQ(levels.meeting(0, 4), 0);
}

TEST(InferLevels, DifferencesOfThreeAreFoundInNoise) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    for (const std::uint32_t size : {2U, 3U, 4U, 8U}) {
      const std::uint32_t hosts = 3 * size;
      const auto levels = infer_levels(hosts, measured(hosts, groups_of(size), 0.2, seed));
      ASSERT_THAT(levels.switch_of, ElementsAre(blocks(hosts, size))) << size << " seed " << seed;
    }
  }
}

TEST(InferLevels, HostsInAnyOrder) {
  const auto scattered = [](std::uint32_t a, std::uint32_t b) {
    return a % 2 == b % 2 ? 1.0 : 3.0;
  };
  EXPECT_THAT(infer_levels(6, measured(6, scattered)).switch_of,
              ElementsAre(ElementsAre(0, 1, 0, 1, 0, 1)));
}

TEST(InferLevels, ThreeLayers) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto levels = infer_levels(64, measured(64, three_layers(), 0.15, seed));
    ASSERT_THAT(levels.switch_of, ElementsAre(blocks(64, 16), blocks(64, 4))) << seed;
    EXPECT_EQ(levels.meeting(0, 3), 2);
    EXPECT_EQ(levels.meeting(0, 4), 1);
    EXPECT_EQ(levels.meeting(0, 16), 0);
  }
}

TEST(InferLevels, UnequalGroupsAndAHostThatFitsNowhere) {
  // 2 hosts, 5 hosts, 3 hosts, and one alone
  const std::vector<std::uint32_t> group{0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 3};
  const auto cost = [&](std::uint32_t a, std::uint32_t b) {
    return group[a] == group[b] ? 1.0 : 4.0;
  };
  EXPECT_THAT(infer_levels(11, measured(11, cost, 0.2)).switch_of, ElementsAre(group));
}

TEST(InferLevels, GroupsOfUnequalCostAreInLayersOfTheirOwn) {
  // Hosts 0-3 on a fast switch, 4-7 on one that is as slow as a pod of two fast ones (8-11, 12-15).
  const auto cost = [](std::uint32_t a, std::uint32_t b) {
    if (a / 8 == 1 && b / 8 == 1) return a / 4 == b / 4 ? 1.0 : 5.0;
    if (a / 4 != b / 4) return 20.0;
    return a / 4 == 0 ? 1.0 : 5.0;
  };
  const auto levels = infer_levels(16, measured(16, cost));
  EXPECT_THAT(levels.switch_of,
              ElementsAre(ElementsAre(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2),
                          ElementsAre(0, 0, 0, 0, 1, 2, 3, 4, 5, 5, 5, 5, 6, 6, 6, 6)));
}

TEST(InferLevels, OutliersMisleadNobody) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    auto pairs = measured(16, groups_of(4), 0.1, seed);
    Rng rng(seed);
    for (int i = 0; i < 5; ++i) {
      MeasuredPair& pair = pairs[rng.below(pairs.size())];
      // Too near within a group is no contradiction: two hosts may be nearer than others.
      pair.cost *= i % 2 == 0 || pair.a / 4 == pair.b / 4 ? 10 : 0.05;
    }
    ASSERT_THAT(infer_levels(16, pairs).switch_of, ElementsAre(blocks(16, 4))) << seed;
  }
}

TEST(InferLevels, DoubtfulPairsAreThoseThatContradict) {
  auto pairs = measured(8, groups_of(4), 0.1);
  EXPECT_THAT(doubtful_pairs(8, pairs), IsEmpty());
  pairs[2].cost *= 20;   // 0 and 3, on one switch
  pairs[10].cost /= 40;  // 1 and 5, not
  EXPECT_THAT(doubtful_pairs(8, pairs), ElementsAre(2, 10));
}

TEST(InferLevels, LatencyTellsWhereCostDoesNot) {
  auto pairs = measured(8, flat(), 0.05);
  for (MeasuredPair& pair : pairs) pair.latency_us *= pair.a / 4 == pair.b / 4 ? 1 : 2;
  EXPECT_THAT(infer_levels(8, pairs).switch_of, ElementsAre(blocks(8, 4)));
}

TEST(InferLevels, LatencyThatMakesNoDifferenceMakesNoLevel) {
  auto pairs = measured(8, flat(), 0.05);  // 64 KiB take 5570 us
  for (MeasuredPair& pair : pairs) pair.latency_us = pair.a / 4 == pair.b / 4 ? 50 : 100;
  EXPECT_THAT(infer_levels(8, pairs).switch_of, IsEmpty());
}

TEST(InferLevels, LatencyDividesWhatCostFound) {
  auto pairs = measured(16, groups_of(8), 0.05);
  for (MeasuredPair& pair : pairs) pair.latency_us *= pair.a / 4 == pair.b / 4 ? 1 : 2;
  EXPECT_THAT(infer_levels(16, pairs).switch_of, ElementsAre(blocks(16, 8), blocks(16, 4)));
}

TEST(InferLevels, CostAloneIsEnough) {
  auto pairs = measured(8, groups_of(4));
  for (MeasuredPair& pair : pairs) pair.latency_us = 0;
  EXPECT_THAT(infer_levels(8, pairs).switch_of, ElementsAre(blocks(8, 4)));
}

TEST(InferLevels, PivotsTellAsMuchAsAllPairs) {
  // Only host 0 with everyone and host 4 with its like.
  const auto all = measured(12, groups_of(4), 0.2);
  std::vector<MeasuredPair> pairs;
  for (const MeasuredPair& pair : all) {
    if (pair.a == 0 || pair.a == 4 || pair.a == 8) pairs.push_back(pair);
  }
  EXPECT_THAT(infer_levels(12, pairs).switch_of, ElementsAre(blocks(12, 4)));
}

TEST(InferLevels, WithoutMeasurementsNothingIsNear) {
  EXPECT_THAT(infer_levels(5, {}).switch_of, IsEmpty());
  const std::vector<MeasuredPair> one{
      {0, 1, 1000, 1}};  // near to each other, or to all: nobody knows
  EXPECT_THAT(infer_levels(5, one).switch_of, IsEmpty());
}

TEST(InferLevels, FiveHundredHostsAtOnce) {
  const auto pairs = measured(500, groups_of(20), 0.2);
  EXPECT_THAT(infer_levels(500, pairs).switch_of, ElementsAre(blocks(500, 20)));
}

}  // namespace
}  // namespace kith
