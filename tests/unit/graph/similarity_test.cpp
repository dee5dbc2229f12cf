#include <gtest/gtest.h>

#include "kith/traffic.hpp"

namespace kith {
namespace {

TrafficMatrix matrix(std::uint32_t ranks, const std::vector<TrafficEntry>& entries) {
  TrafficMatrixBuilder builder(ranks);
  for (const TrafficEntry& entry : entries) {
    builder.add(entry.source, entry.destination, entry.weight);
  }
  return builder.build();
}

TrafficEntry cell(std::uint32_t from, std::uint32_t to, Weight weight) {
  return {Rank(from), Rank(to), weight};
}

TEST(CosineSimilarity, ComparesPatternsNotAmounts) {
  const auto a = matrix(3, {cell(0, 1, 30), cell(1, 2, 40), cell(2, 2, 5)});
  EXPECT_DOUBLE_EQ(*cosine_similarity(a, a), 1);
  const auto ten_times = matrix(3, {cell(0, 1, 300), cell(1, 2, 400), cell(2, 2, 50)});
  EXPECT_DOUBLE_EQ(*cosine_similarity(a, ten_times), 1);
  EXPECT_DOUBLE_EQ(*cosine_similarity(matrix(2, {cell(0, 1, 3), cell(1, 0, 4)}),
                                      matrix(2, {cell(0, 1, 4), cell(1, 0, 3)})),
                   24.0 / 25);
}

TEST(CosineSimilarity, TheReverseDirectionIsAnotherCell) {
  EXPECT_EQ(cosine_similarity(matrix(2, {cell(0, 1, 9)}), matrix(2, {cell(1, 0, 9)})), 0.0);
}

TEST(CosineSimilarity, NothingIsLikeSilence) {
  EXPECT_FALSE(cosine_similarity(matrix(2, {}), matrix(2, {cell(0, 1, 1)})));
  EXPECT_FALSE(cosine_similarity(matrix(2, {}), matrix(2, {})));
  EXPECT_FALSE(cosine_similarity(matrix(2, {cell(0, 1, 1)}), matrix(3, {cell(0, 1, 1)})));
}

TEST(CosineSimilarity, LargeWeightsDoNotOverflow) {
  const auto large = matrix(2, {cell(0, 1, UINT64_MAX), cell(1, 0, UINT64_MAX)});
  EXPECT_NEAR(*cosine_similarity(large, large), 1, 1e-12);
}

}  // namespace
}  // namespace kith
