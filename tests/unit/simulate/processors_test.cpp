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

/// A pool of so many processors and processes.
std::uint32_t pool_of(Processors& processors, double count, int processes) {
  const std::uint32_t pool = processors.add_pool(count);
  for (int i = 0; i < processes; ++i) processors.join(pool);
  return pool;
}

TEST(Processors, EachHasOneWhereThereAreEnough) {
  Processors processors;
  const std::uint32_t pool = pool_of(processors, 4, 4);
  processors.start(pool, 2, 7, 0);
  processors.start(pool, 1, 8, 0);
  processors.begin_wait(pool, 0.5);
  EXPECT_EQ(ends_of(processors), (Ends{{1, 8}, {2, 7}}));
}

TEST(Processors, ThreeOnTwo) {
  Processors processors;
  const std::uint32_t pool = pool_of(processors, 2, 3);
  for (std::uint32_t item = 0; item < 3; ++item) processors.start(pool, 1, item, 0);
  EXPECT_EQ(ends_of(processors), (Ends{{1.5, 0}, {1.5, 1}, {1.5, 2}}));
}

TEST(Processors, PoolsDoNotShare) {
  Processors processors;
  const std::uint32_t a = pool_of(processors, 1, 2);
  const std::uint32_t b = pool_of(processors, 1, 1);
  processors.start(a, 1, 0, 0);
  processors.start(a, 1, 1, 0);
  processors.start(b, 1, 2, 0);
  EXPECT_EQ(ends_of(processors), (Ends{{1, 2}, {2, 0}, {2, 1}}));
}

TEST(Processors, WhoWaitsTakesAPart) {
  // Three share the processor, from 1.5 s on two.
  Processors processors;
  const std::uint32_t pool = pool_of(processors, 1, 3);
  processors.begin_wait(pool, 0);
  processors.begin_wait(pool, 0);
  processors.start(pool, 1.5, 3, 0);
  processors.end_wait(pool, 1.5);
  const Ends ends = ends_of(processors);
  ASSERT_EQ(ends.size(), 1U);
  EXPECT_DOUBLE_EQ(ends[0].first, 3.5);
}

TEST(Processors, WhoWaitsMayGiveWay) {
  for (const double turn : {0.0, 0.25}) {
    Processors processors(turn);
    const std::uint32_t pool = pool_of(processors, 1, 3);
    processors.begin_wait(pool, 0);
    processors.begin_wait(pool, 0);
    processors.start(pool, 2, 3, 0);
    const Ends ends = ends_of(processors);
    ASSERT_EQ(ends.size(), 1U);
    EXPECT_DOUBLE_EQ(ends[0].first, 2 * (1 + 2 * turn));
  }
}

}  // namespace
}  // namespace kith::simulate
