#include "kith/detail/job.hpp"

#include <gtest/gtest.h>

namespace kith {
namespace {

TEST(CpuSetTest, KeepsRanges) {
  const CpuSet cpus{0, 1, 2, 8};
  EXPECT_EQ(cpus.ranges().size(), 2U);
  EXPECT_EQ(cpus.size(), 4U);
  EXPECT_TRUE(cpus.contains({1, 2, 8}));
  EXPECT_TRUE(cpus.contains({}));
  EXPECT_FALSE(cpus.contains({2, 3}));
  EXPECT_FALSE(cpus.contains({9}));
  EXPECT_EQ(united({0, 1, 6}, {1, 2, 7}), (CpuSet{0, 1, 2, 6, 7}));
  EXPECT_EQ(united({}, {3}), CpuSet{3});
  EXPECT_LT((CpuSet{0}), (CpuSet{1}));
}

}  // namespace
}  // namespace kith
