// Patterns with noise.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "kith/detail/generate.hpp"
#include "kith/error.hpp"
#include "unit/graph/generated_pairs.hpp"

namespace kith {
namespace {

using testing::collect;
using testing::Pairs;

struct Moments {
  double mean = 0;
  double deviation = 0;
};
Moments moments_of(const std::vector<double>& values) {
  Moments moments;
  for (const double v : values) moments.mean += v / static_cast<double>(values.size());
  for (const double v : values) {
    moments.deviation +=
        (v - moments.mean) * (v - moments.mean) / static_cast<double>(values.size());
  }
  moments.deviation = std::sqrt(moments.deviation);
  return moments;
}

TEST(GenerateNoise, NoiseFollowsItsModel) {
  constexpr Weight weight = 1'000'000;
  const auto noise = [&](NoiseModel model, double level) {
    std::vector<double> values;
    for (const auto& [key, w] : collect(*make_noisy(make_alltoall(200, weight), model, level, 3))) {
      values.push_back(static_cast<double>(w) - static_cast<double>(weight));
    }
    return values;
  };
  const auto expect_spread = [](const std::vector<double>& values, double deviation) {
    const Moments found = moments_of(values);
    EXPECT_NEAR(found.mean / deviation, 0, 0.03);
    EXPECT_NEAR(found.deviation / deviation, 1, 0.03);
  };
  const auto within = [](const std::vector<double>& values, double deviations) {
    return static_cast<double>(
               std::ranges::count_if(values, [=](double v) { return std::abs(v) <= deviations; })) /
           static_cast<double>(values.size());
  };
  const auto normal = noise(NoiseModel::gaussian_additive, 1000);
  expect_spread(normal, 1000);
  EXPECT_NEAR(within(normal, 1000), 0.683, 0.02);  // the paper's 68.3% and 95.4%
  EXPECT_NEAR(within(normal, 2000), 0.954, 0.01);
  expect_spread(noise(NoiseModel::gaussian_multiplicative, 0.01), 0.01 * weight);
  const auto uniform = noise(NoiseModel::uniform_additive, 1000);
  expect_spread(uniform, 1000 / std::sqrt(3.0));
  EXPECT_EQ(within(uniform, 1000), 1);
  expect_spread(noise(NoiseModel::uniform_multiplicative, 0.01), 0.01 * weight / std::sqrt(3.0));
}

TEST(GenerateNoise, AddedNoiseReachesAllPairsMultipliedNoiseThoseThatTalk) {
  const auto plain = [] { return make_stencil({10, 10}, 5, false, {1000}); };
  const std::size_t pairs = collect(*plain()).size();
  for (const NoiseModel model : {NoiseModel::gaussian_additive, NoiseModel::uniform_additive}) {
    const Pairs noisy = collect(*make_noisy(plain(), model, 100, 1));
    const std::size_t silent = 4950 - pairs;  // half of them get less than 0: nothing
    EXPECT_NEAR(static_cast<double>(noisy.size() - pairs), static_cast<double>(silent) / 2, 150);
    EXPECT_EQ(collect(*make_noisy(plain(), model, 100, 1)), noisy);
    EXPECT_NE(collect(*make_noisy(plain(), model, 100, 2)), noisy);
    EXPECT_EQ(collect(*make_noisy(plain(), model, 0, 1)), collect(*plain()));
  }
  for (const NoiseModel model :
       {NoiseModel::gaussian_multiplicative, NoiseModel::uniform_multiplicative}) {
    for (const auto& [key, w] : collect(*make_noisy(plain(), model, 3, 1))) {
      EXPECT_TRUE(collect(*plain()).contains(key));
    }
    EXPECT_LT(collect(*make_noisy(plain(), model, 3, 1)).size(), pairs);  // some became 0
    EXPECT_EQ(collect(*make_noisy(plain(), model, 0, 1)), collect(*plain()));
  }
  EXPECT_THROW(make_noisy(plain(), NoiseModel::uniform_additive, -1, 1), Error);
}

}  // namespace
}  // namespace kith
