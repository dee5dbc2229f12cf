#include "machine/allocate/free_nodes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace kith {

void PrintTo(const Stretch& stretch, std::ostream* out) {
  *out << stretch.first << "+" << stretch.length;
}

namespace {

using testing::ElementsAre;

FreeIntervals of(const std::vector<bool>& free) {
  FreeIntervals set;
  for (std::size_t i = 0; i < free.size(); ++i) {
    if (free[i]) set.add({i, 1});
  }
  return set;
}

std::vector<std::uint64_t> positions(const std::vector<Stretch>& stretches) {
  std::vector<std::uint64_t> all;
  for (const Stretch& stretch : stretches) {
    for (std::uint64_t i = 0; i < stretch.length; ++i) all.push_back(stretch.first + i);
  }
  return all;
}

TEST(FreeIntervals, JoinsNeighboursAndSplits) {
  FreeIntervals set;
  set.add({0, 4});
  set.add({6, 2});
  set.add({4, 2});
  EXPECT_THAT(set.stretches(), ElementsAre(Stretch{0, 8}));
  set.take({2, 3});
  EXPECT_THAT(set.stretches(), ElementsAre(Stretch{0, 2}, Stretch{5, 3}));
  EXPECT_EQ(set.size(), 5U);
  EXPECT_TRUE(set.contains(1));
  EXPECT_FALSE(set.contains(4));
}

TEST(FreeIntervals, BestFitIsTheShortestThatIsLongEnough) {
  FreeIntervals set;
  for (const Stretch stretch : {Stretch{0, 9}, {10, 4}, {20, 3}, {30, 4}}) set.add(stretch);
  EXPECT_THAT(set.best_fit(3), ElementsAre(Stretch{20, 3}));
  EXPECT_THAT(set.best_fit(4), ElementsAre(Stretch{10, 4}));
  EXPECT_THAT(set.best_fit(5), ElementsAre(Stretch{0, 5}));
}

TEST(FreeIntervals, SpansTheLeastWhereNoStretchIsLongEnough) {
  FreeIntervals set;
  for (const Stretch stretch : {Stretch{0, 4}, {30, 4}, {36, 4}, {50, 4}}) set.add(stretch);
  EXPECT_THAT(set.best_fit(6), ElementsAre(Stretch{30, 4}, Stretch{36, 2}));
  EXPECT_THAT(set.best_fit(10), ElementsAre(Stretch{30, 4}, Stretch{36, 4}, Stretch{50, 2}));
}

TEST(FreeIntervals, AgreesWithTryingEverything) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 2000; ++round) {
    std::vector<bool> free(40);
    std::vector<std::uint64_t> all;
    for (std::size_t i = 0; i < free.size(); ++i) {
      free[i] = random() % 3 != 0;
      if (free[i]) all.push_back(i);
    }
    FreeIntervals set = of(free);
    ASSERT_EQ(set.size(), all.size());
    ASSERT_EQ(positions(set.stretches()), all);
    const std::uint64_t count = 1 + random() % all.size();
    std::uint64_t least = UINT64_MAX;
    std::size_t best = 0;
    for (std::size_t i = 0; i + count <= all.size(); ++i) {
      if (all[i + count - 1] - all[i] < least) {
        least = all[i + count - 1] - all[i];
        best = i;
      }
    }
    const auto window = positions(set.least_span(count));
    ASSERT_EQ(window, std::vector<std::uint64_t>(all.begin() + best, all.begin() + best + count));
    for (const Stretch& stretch : set.best_fit(count)) {
      set.take(stretch);
      for (std::uint64_t i = 0; i < stretch.length; ++i) free[stretch.first + i] = false;
    }
    ASSERT_EQ(set.stretches(), of(free).stretches());
  }
}

}  // namespace
}  // namespace kith
