#include "api/redistribution/slices.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

namespace kith::preload {
namespace {

/// Offsets of the single bytes of a piece, in the order of the type map.
void append_bytes(const Shapes& shapes, const Repeat& piece, std::vector<std::int64_t>& bytes) {
  const Shape& shape = shapes[piece.shape];
  for (std::uint64_t i = 0; i < piece.count; ++i) {
    const std::int64_t at = piece.offset + static_cast<std::int64_t>(i) * piece.stride;
    if (shape.parts.empty()) {
      for (std::uint64_t b = 0; b < shape.bytes; ++b) {
        bytes.push_back(at + static_cast<std::int64_t>(b));
      }
    }
    for (Repeat part : shape.parts) {
      part.offset += at;
      append_bytes(shapes, part, bytes);
    }
  }
}

std::vector<std::int64_t> bytes_in(const Shapes& shapes, const Repeat& piece) {
  std::vector<std::int64_t> bytes;
  append_bytes(shapes, piece, bytes);
  return bytes;
}

/// An array of records: an int, then three rows of four doubles, the last row first.
Shapes records() {
  return {{100, {{0, 1, 4, 1}, {80, 3, -32, 2}}}, {4, {}}, {32, {{0, 4, 8, 3}}}, {8, {}}};
}

TEST(Slices, AreTheWholeInOrderWhateverTheLimit) {
  const Shapes shapes = records();
  const Repeat whole{7, 5, 128, 0};
  const std::vector<std::int64_t> expected = bytes_in(shapes, whole);
  ASSERT_EQ(expected.size(), 500U);
  for (std::uint64_t limit = 8; limit < 600; ++limit) {
    std::vector<std::int64_t> found;
    for_each_slice(shapes, whole, limit, [&](const Repeat& slice) {
      EXPECT_LE(bytes_of(shapes, slice), limit);
      EXPECT_GT(slice.count, 0U);
      append_bytes(shapes, slice, found);
    });
    EXPECT_EQ(found, expected) << "limit " << limit;
  }
}

TEST(Slices, AreAsLargeAsTheLimitAllows) {
  const Shapes shapes = records();
  std::vector<Repeat> slices;
  for_each_slice(shapes, {0, 7, 100, 0}, 300,
                 [&](const Repeat& slice) { slices.push_back(slice); });
  const std::vector<Repeat> expected{{0, 3, 100, 0}, {300, 3, 100, 0}, {600, 1, 100, 0}};
  EXPECT_EQ(slices, expected);
}

TEST(Slices, KeepWholeWhatCannotBeTakenApart) {
  const Shapes shapes{{1000, {}}};
  std::vector<Repeat> slices;
  for_each_slice(shapes, {16, 2, 2000, 0}, 10,
                 [&](const Repeat& slice) { slices.push_back(slice); });
  const std::vector<Repeat> expected{{16, 1, 2000, 0}, {2016, 1, 2000, 0}};
  EXPECT_EQ(slices, expected);
  EXPECT_EQ(account_of(shapes, 0, 10).largest, 1000U);
}

TEST(Slices, LeaveOutWhatHoldsNothing) {
  const Shapes shapes{{8, {{0, 1, 0, 1}, {0, 2, 4, 2}}}, {0, {}}, {4, {}}};
  int visited = 0;
  for_each_slice(shapes, {0, 1, 8, 0}, 4, [&](const Repeat& slice) {
    EXPECT_EQ(slice.shape, 2U);
    ++visited;
  });
  for_each_slice(shapes, {0, 9, 1, 1}, 4, [&](const Repeat&) { ++visited; });
  EXPECT_EQ(visited, 2);
}

TEST(Slices, CountBeyondThirtyTwoBits) {
  const Shapes shapes{{1, {}}};
  const std::uint64_t count = (std::uint64_t{1} << 33) + 5;
  std::uint64_t sum = 0;
  std::int64_t last = 0;
  for_each_slice(shapes, {0, count, 3, 0}, std::uint64_t{1} << 20, [&](const Repeat& slice) {
    sum += slice.count;
    last = slice.offset;
  });
  EXPECT_EQ(sum, count);
  EXPECT_EQ(last, 3 * (std::int64_t{1} << 33));
}

TEST(SliceAccount, TellsElementsThatAreCutAlike) {
  const Shapes rows{{64, {{0, 8, 8, 1}}}, {8, {}}};
  const Shapes columns{{64, {{0, 8, 80, 1}}}, {8, {}}};  // other places, equal sizes
  const Shapes halves{{64, {{0, 2, 32, 1}}}, {32, {}}};
  const auto digest = [](const Shapes& shapes) { return account_of(shapes, 0, 16).digest; };
  EXPECT_EQ(digest(rows), digest(columns));
  EXPECT_NE(digest(rows), digest(halves));
}

TEST(Moves, BringEachRanksDataToWhoHasTheRankNow) {
  std::mt19937 random(3);
  for (const int size : {1, 2, 3, 8, 31}) {
    std::vector<std::int32_t> place(static_cast<std::size_t>(size));
    std::iota(place.begin(), place.end(), 0);
    for (int trial = 0; trial < 20; ++trial) {
      std::vector<std::int32_t> held(place.size(), -1);  // by old rank: whose data afterwards
      for (std::int32_t r = 0; r < size; ++r) {
        const Move move = move_of(place, r);
        EXPECT_EQ(move_of(place, move.to).from, r);
        held[static_cast<std::size_t>(move.to)] = r;
      }
      // Rank r of the new order is old rank place[r], and holds what rank r held.
      for (std::int32_t r = 0; r < size; ++r) {
        EXPECT_EQ(held[static_cast<std::size_t>(place[static_cast<std::size_t>(r)])], r);
      }
      std::shuffle(place.begin(), place.end(), random);
    }
  }
}

TEST(Moves, NeedAPermutation) {
  EXPECT_TRUE(is_permutation({2, 0, 1}));
  EXPECT_FALSE(is_permutation({2, 0, 2}));
  EXPECT_FALSE(is_permutation({0, 3, 1}));
  EXPECT_FALSE(is_permutation({0, -1, 1}));
}

}  // namespace
}  // namespace kith::preload
