// What a pattern generates, as a table.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>

#include "kith/detail/generate.hpp"

namespace kith::testing {

using Pairs = std::map<std::pair<std::uint32_t, std::uint32_t>, Weight>;

/// All pairs, lower rank first; a pair that comes twice or a loop fails the test.
inline Pairs collect(const Pattern& pattern) {
  Pairs pairs;
  pattern.for_each_pair([&](Rank a, Rank b, Weight w) {
    EXPECT_NE(a, b);
    EXPECT_LT(std::max(a, b).value, pattern.ranks());
    EXPECT_GT(w, 0U);
    const auto key = std::minmax({a.value, b.value});
    EXPECT_TRUE(pairs.emplace(key, w).second) << key.first << ' ' << key.second;
  });
  return pairs;
}

}  // namespace kith::testing
