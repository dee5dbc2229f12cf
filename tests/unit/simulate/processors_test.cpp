#include "simulate/processors.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <utility>
#include <vector>

namespace kith::simulate {
namespace {

using Ends = std::vector<std::pair<double, std::uint32_t>>;

/// All that ends from now on.
Ends ends_of(Processors& processors) {
  Ends ends;
  while (processors.next_end() < std::numeric_limits<double>::infinity()) {
    const double now = processors.next_end();
    std::uint32_t item = 0;
    while (processors.end_one(now, item)) ends.emplace_back(now, item);
  }
  return ends;
}

TEST(Processors, EachHasOneWhereThereAreEnough) {
  Processors processors(0.5);
  const std::uint32_t pool = processors.add_pool(4);
  processors.start(pool, 2, 7, 0);
  processors.start(pool, 1, 8, 0);
  processors.begin_wait(pool, 0.5);
  EXPECT_EQ(ends_of(processors), (Ends{{1, 8}, {2, 7}}));
}

TEST(Processors, ThreeOnTwo) {
  Processors processors(0);
  const std::uint32_t pool = processors.add_pool(2);
  for (std::uint32_t item = 0; item < 3; ++item) processors.start(pool, 1, item, 0);
  EXPECT_EQ(ends_of(processors), (Ends{{1.5, 0}, {1.5, 1}, {1.5, 2}}));
}

TEST(Processors, PoolsDoNotShare) {
  Processors processors(0);
  const std::uint32_t a = processors.add_pool(1);
  const std::uint32_t b = processors.add_pool(1);
  processors.start(a, 1, 0, 0);
  processors.start(a, 1, 1, 0);
  processors.start(b, 1, 2, 0);
  EXPECT_EQ(ends_of(processors), (Ends{{1, 2}, {2, 0}, {2, 1}}));
}

TEST(Processors, WhoWaitsTakesAPart) {
  // Two wait, each as half of one that computes: half of the processor is left, from 1 s on two
  // thirds.
  Processors processors(0.5);
  const std::uint32_t pool = processors.add_pool(1);
  processors.begin_wait(pool, 0);
  processors.begin_wait(pool, 0);
  processors.start(pool, 1.5, 3, 0);
  processors.end_wait(pool, 1);
  const Ends ends = ends_of(processors);
  ASSERT_EQ(ends.size(), 1U);
  EXPECT_DOUBLE_EQ(ends[0].first, 2.5);
}

TEST(Processors, NobodyWhoWaitsTakesAnythingByDefault) {
  Processors processors(0);
  const std::uint32_t pool = processors.add_pool(1);
  for (int i = 0; i < 9; ++i) processors.begin_wait(pool, 0);
  processors.start(pool, 1, 0, 0);
  EXPECT_EQ(ends_of(processors), (Ends{{1, 0}}));
}

}  // namespace
}  // namespace kith::simulate
