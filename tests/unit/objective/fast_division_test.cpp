#include "objective/distance.hpp"

#include <gtest/gtest.h>

#include <random>

namespace kith {
namespace {

TEST(FastDivisor, DividesLikeTheProcessor) {
  std::mt19937_64 random(2);
  constexpr std::uint32_t last = UINT32_MAX;
  for (int round = 0; round < 2000; ++round) {
    const int bits = static_cast<int>(random() % 31);
    auto divisor = static_cast<std::uint32_t>(random() >> (32 + bits));
    if (round < 100) divisor = static_cast<std::uint32_t>(round);
    if (round < 200 && round >= 100) divisor = last - static_cast<std::uint32_t>(round - 100);
    if (divisor < 2) continue;
    const FastDivisor fast(divisor);
    for (int i = 0; i < 100; ++i) {
      // Around multiples, where rounding would show.
      const std::uint32_t multiple = static_cast<std::uint32_t>(random()) / divisor * divisor;
      for (const std::uint32_t n : {multiple, multiple - 1, multiple + 1, last, last - 1}) {
        ASSERT_EQ(fast.quotient(n), n / divisor) << n << " / " << divisor;
      }
    }
  }
}

}  // namespace
}  // namespace kith
