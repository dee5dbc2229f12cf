#include "core/rng.hpp"

#include <gmock/gmock.h>

#include <algorithm>

namespace kith {
namespace {

TEST(Rng, GivesTheNumbersThatTheStandardPrescribes) {
  Rng rng(5489);  // the default seed: the standard fixes the 10000th number
  std::uint64_t last = 0;
  for (int i = 0; i < 10000; ++i) last = rng.next();
  EXPECT_EQ(last, 9981545732273789042ULL);
}

TEST(Rng, UniformStaysBelowOne) {
  Rng rng(7);
  double sum = 0;
  for (int i = 0; i < 10000; ++i) {
    const double u = rng.uniform();
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    sum += u;
  }
  EXPECT_NEAR(sum / 10000, 0.5, 0.02);
}

TEST(Rng, PermutationIsABijectionThatTheSeedDecides) {
  const auto p = random_permutation(1000, 1);
  EXPECT_EQ(p, random_permutation(1000, 1));
  EXPECT_NE(p, random_permutation(1000, 2));
  auto sorted = p;
  std::sort(sorted.begin(), sorted.end());
  for (std::uint32_t i = 0; i < 1000; ++i) ASSERT_EQ(sorted[i], i);
}

TEST(Rng, PermutationOfTwoFollowsTheRule) {
  // i = 1 is the only step: swap(p[1], p[r mod 2]).
  Rng rng(3);
  const bool stays = rng.next() % 2 == 1;
  EXPECT_EQ(random_permutation(2, 3)[0], stays ? 0U : 1U);
  EXPECT_TRUE(random_permutation(0, 3).empty());
}

}  // namespace
}  // namespace kith
