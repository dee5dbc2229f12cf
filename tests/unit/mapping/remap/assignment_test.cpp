#include "mapping/remap/remap.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <set>

namespace kith::remap {
namespace {

constexpr std::uint64_t exactly = 1ULL << 40;

std::uint64_t sum_of(const std::vector<Entry>& entries) {
  std::uint64_t sum = 0;
  for (const Entry& entry : entries) sum += entry.weight;
  return sum;
}

std::vector<Entry> random_entries(std::mt19937_64& random, std::uint32_t rows,
                                  std::uint32_t columns) {
  std::vector<Entry> entries;
  for (std::uint32_t a = 0; a < rows; ++a) {
    for (std::uint32_t b = 0; b < columns; ++b) {
      if (random() % 2 == 0) {
        entries.push_back({10 * a, 100 + b, 1 + static_cast<std::uint32_t>(random() % 20)});
      }
    }
  }
  return entries;
}

/// By trying every order of 6 columns for the rows.
std::uint64_t largest_sum(const std::vector<Entry>& entries) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> weight;
  for (const Entry& entry : entries) weight[{entry.a, entry.b}] = entry.weight;
  std::vector<std::uint32_t> columns(6);
  std::iota(columns.begin(), columns.end(), 100U);
  std::uint64_t largest = 0;
  do {
    std::uint64_t sum = 0;
    for (std::uint32_t a = 0; a < 6; ++a) {
      const auto found = weight.find({10 * a, columns[a]});
      if (found != weight.end()) sum += found->second;
    }
    largest = std::max(largest, sum);
  } while (std::next_permutation(columns.begin(), columns.end()));
  return largest;
}

TEST(Assignment, IsTheHeaviest) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 100; ++round) {
    const auto entries = random_entries(random, 1 + static_cast<std::uint32_t>(random() % 6),
                                        1 + static_cast<std::uint32_t>(random() % 6));
    EXPECT_EQ(sum_of(assign(entries, exactly)), largest_sum(entries)) << "round " << round;
  }
}

TEST(Assignment, UsesEachRowAndColumnOnce) {
  std::mt19937_64 random(2);
  for (const std::uint64_t effort : {std::uint64_t{0}, exactly}) {
    for (int round = 0; round < 50; ++round) {
      std::set<std::uint32_t> rows;
      std::set<std::uint32_t> columns;
      for (const Entry& entry : assign(random_entries(random, 20, 12), effort)) {
        EXPECT_TRUE(rows.insert(entry.a).second);
        EXPECT_TRUE(columns.insert(entry.b).second);
      }
    }
  }
}

TEST(Assignment, TakesTheHeaviestFirstWhereTheBestIsTooDear) {
  const std::vector<Entry> entries{{0, 0, 5}, {0, 1, 6}, {1, 1, 5}};
  EXPECT_EQ(sum_of(assign(entries, 0)), 6U);
  EXPECT_EQ(sum_of(assign(entries, exactly)), 10U);
}

}  // namespace
}  // namespace kith::remap
