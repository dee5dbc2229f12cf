#include "threads/cpu_share.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace kith::threads {
namespace {

/// Cores of two processing units: CPUs i and i + cores.
std::vector<CpuSet> smt_cores(std::uint32_t cores) {
  std::vector<CpuSet> places;
  for (std::uint32_t core = 0; core < cores; ++core) places.push_back({core, core + cores});
  return places;
}

CpuSet from_to(std::uint32_t first, std::uint32_t last) {
  CpuSet cpus;
  cpus.add(first, last);
  return cpus;
}

/// Their processing units, core by core.
std::vector<CpuSet> pus_of(std::uint32_t cores) {
  std::vector<CpuSet> places;
  for (std::uint32_t core = 0; core < cores; ++core) {
    places.push_back({core});
    places.push_back({core + cores});
  }
  return places;
}

CpuSet share(const CpuSet& cpus, std::uint32_t position, std::uint32_t processes) {
  return share_of(cpus, position, processes, smt_cores(8), pus_of(8));
}

TEST(CpuShare, OneProcessHasAll) {
  EXPECT_EQ(share(from_to(0, 15), 0, 1), from_to(0, 15));
  EXPECT_EQ(share(from_to(3, 5), 0, 1), from_to(3, 5));
}

TEST(CpuShare, NeighbouringCores) {
  const CpuSet all = from_to(0, 15);
  EXPECT_EQ(share(all, 0, 3), (CpuSet{0, 1, 8, 9}));
  EXPECT_EQ(share(all, 1, 3), (CpuSet{2, 3, 4, 10, 11, 12}));
  EXPECT_EQ(share(all, 2, 3), (CpuSet{5, 6, 7, 13, 14, 15}));
  EXPECT_EQ(share(from_to(1, 2), 1, 2), (CpuSet{2}));
}

TEST(CpuShare, MoreProcessesThanCoresShareThem) {
  // Four processing units on two cores.
  const CpuSet two_cores{0, 1, 8, 9};
  EXPECT_EQ(share(two_cores, 0, 4), (CpuSet{0}));
  EXPECT_EQ(share(two_cores, 1, 4), (CpuSet{8}));
  EXPECT_EQ(share(two_cores, 3, 4), (CpuSet{9}));
  for (std::uint32_t i = 0; i < 9; ++i) EXPECT_EQ(share(two_cores, i, 9).size(), 1U) << i;
}

TEST(CpuShare, NoCpuInTwoShares) {
  for (std::uint32_t processes = 1; processes <= 16; ++processes) {
    CpuSet all;
    std::uint64_t sum = 0;
    for (std::uint32_t i = 0; i < processes; ++i) {
      const CpuSet one = share(from_to(0, 15), i, processes);
      EXPECT_FALSE(one.empty());
      all = united(all, one);
      sum += one.size();
    }
    EXPECT_EQ(sum, 16U) << processes;
    EXPECT_EQ(all, from_to(0, 15)) << processes;
  }
}

}  // namespace
}  // namespace kith::threads
