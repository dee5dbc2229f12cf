#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mapping/slot_tree.hpp"

namespace kith {
namespace {

using ::testing::ElementsAre;

TEST(ProportionalShares, AreAsNearAsTheyCanBe) {
  const auto shares = [](std::uint64_t total, std::vector<std::uint64_t> weights) {
    return proportional_shares(total, weights);
  };
  EXPECT_THAT(shares(10, {1, 1, 1}), ElementsAre(4, 3, 3));
  EXPECT_THAT(shares(64, {8, 8, 16}), ElementsAre(16, 16, 32));
  EXPECT_THAT(shares(5, {2, 3, 4}), ElementsAre(1, 2, 2));  // 1.11, 1.67, 2.22
  EXPECT_THAT(shares(1, {1, 2, 2}), ElementsAre(0, 1, 0));
  EXPECT_THAT(shares(0, {3, 1}), ElementsAre(0, 0));
  EXPECT_THAT(shares(4'000'000'000, {4'000'000'000, 1}), ElementsAre(3'999'999'999, 1));
}

}  // namespace
}  // namespace kith
