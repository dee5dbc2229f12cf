#include "mapping/budget.hpp"

#include <gtest/gtest.h>

namespace kith {
namespace {

Budget work(std::uint64_t units) {
  MapOptions options;
  options.work = units;
  return Budget(options);
}

TEST(Budget, TakesMuchAtOnceOrNothing) {
  Budget budget = work(10);
  EXPECT_TRUE(budget.spend(7));
  EXPECT_EQ(budget.spent(), 7U);
  EXPECT_FALSE(budget.spend(4));
  EXPECT_EQ(budget.stopped(), Stopped::work);
  EXPECT_FALSE(budget.spend(1)) << "never again";
  EXPECT_EQ(budget.spent(), 7U);
}

TEST(Budget, PartsAreSettledInOrder) {
  Budget budget = work(10);
  Budget first = budget.part();
  Budget second = budget.part();
  EXPECT_TRUE(first.spend(6));
  EXPECT_TRUE(second.spend(6));
  EXPECT_EQ(budget.spent(), 0U);
  EXPECT_TRUE(budget.charge(first));
  EXPECT_FALSE(budget.charge(second)) << "in order, so much was not left for it";
  EXPECT_EQ(budget.stopped(), Stopped::work);
}

TEST(Budget, WhatRanOutInAPartRanOut) {
  Budget budget = work(10);
  Budget part = budget.part();
  EXPECT_TRUE(part.spend(6));
  EXPECT_FALSE(part.spend(6));
  EXPECT_FALSE(budget.charge(part));
  EXPECT_EQ(budget.stopped(), Stopped::work);
}

TEST(Budget, KnowsWhatTimeIsLeft) {
  MapOptions options;
  EXPECT_TRUE(Budget(options).has_time_for(1e12));
  options.time_limit = 100;
  EXPECT_TRUE(Budget(options).has_time_for(50));
  EXPECT_FALSE(Budget(options).has_time_for(101));
}

}  // namespace
}  // namespace kith
