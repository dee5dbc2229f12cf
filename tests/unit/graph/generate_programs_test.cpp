// Patterns of known programs.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <set>
#include <utility>

#include "kith/detail/generate.hpp"
#include "unit/graph/generated_pairs.hpp"

namespace kith {
namespace {

using testing::collect;
using testing::Pairs;

TEST(GeneratePrograms, CgMatchesItsDefinition) {
  for (const std::uint32_t side : {1U, 2U, 8U}) {
    Pairs truth;
    for (std::uint32_t r = 0; r < side; ++r) {
      for (std::uint32_t c = 0; c < side; ++c) {
        for (std::uint32_t bit = 1; bit < side; bit *= 2) {
          truth[std::minmax({r * side + c, r * side + (c ^ bit)})] = 1000;
        }
        if (r != c) truth[std::minmax({r * side + c, c * side + r})] = 1000;
      }
    }
    EXPECT_EQ(collect(*make_cg(side * side, 1000)), truth);
  }
}

// From the geometry: a pair object for each two cells that touch, and for each cell with itself.
TEST(GeneratePrograms, LeanMdHasAnObjectForEachPairOfNeighbouringCells) {
  const std::array<std::uint32_t, 3> extents{3, 4, 5};
  const std::uint32_t cells = 60;
  const auto pattern = make_leanmd({extents, 10, 7});
  EXPECT_EQ(pattern->ranks(), cells * 15 + 7);
  std::map<std::uint32_t, std::set<std::uint32_t>> cells_of;
  for (const auto& [key, weight] : collect(*pattern)) {
    EXPECT_EQ(weight, 240U);
    EXPECT_LT(key.first, cells);
    EXPECT_GE(key.second, cells);
    EXPECT_LT(key.second, cells * 15);
    cells_of[key.second].insert(key.first);
  }
  EXPECT_EQ(cells_of.size(), cells * 14);
  std::set<std::set<std::uint32_t>> found;
  for (const auto& [pair, members] : cells_of) found.insert(members);
  EXPECT_EQ(found.size(), cells * 14);
  const auto touch = [&](std::uint32_t a, std::uint32_t b) {
    for (std::size_t axis = 3; axis-- > 0; a /= extents[axis], b /= extents[axis]) {
      const std::uint32_t apart =
          (a % extents[axis] + extents[axis] - b % extents[axis]) % extents[axis];
      if (std::min(apart, extents[axis] - apart) > 1) return false;
    }
    return true;
  };
  for (const auto& members : found) EXPECT_TRUE(touch(*members.begin(), *members.rbegin()));
  EXPECT_EQ(make_leanmd({})->ranks(), 3240U);
}

// Word for word what NAS CG's setup_proc_info computes, whole numbers divided as there.
TEST(GeneratePrograms, CgIsNasCgOnAnyPowerOfTwo) {
  for (const std::uint32_t ranks : {2U, 8U, 16U, 128U, 512U}) {
    const std::uint32_t rows = 1U << (static_cast<unsigned>(std::countr_zero(ranks)) / 2);
    const std::uint32_t columns = ranks / rows;
    Pairs truth;
    for (std::uint32_t me = 0; me < ranks; ++me) {
      const std::uint32_t row = me / columns;
      const std::uint32_t column = me % columns;
      const std::uint32_t partner = columns == rows
                                        ? me % rows * rows + me / rows
                                        : 2 * (me / 2 % rows * rows + me / 2 / rows) + me % 2;
      if (partner != me) truth[std::minmax({me, partner})] = 7;
      for (std::uint32_t factor = columns; factor > 1; factor /= 2) {
        const std::uint32_t other = (column + factor / 2) % factor + column / factor * factor;
        truth[std::minmax({me, row * columns + other})] = 7;
      }
    }
    std::uint64_t visits = 0;
    make_cg(ranks, 7)->for_each_pair([&](Rank, Rank, Weight) { ++visits; });
    EXPECT_EQ(collect(*make_cg(ranks, 7)), truth);
    EXPECT_EQ(visits, truth.size());
  }
}

TEST(GeneratePrograms, LuIsAGridOfProcesses) {
  const Pairs square = collect(*make_lu(16, 5));
  EXPECT_EQ(square.size(), 24U);
  EXPECT_EQ(square.at({5, 6}), 5U);
  EXPECT_EQ(square.at({5, 9}), 5U);
  EXPECT_FALSE(square.contains({3, 4}));
  const Pairs oblong = collect(*make_lu(8, 5));  // 4 x 2
  EXPECT_EQ(oblong, (Pairs{{{0, 1}, 10},
                           {{1, 2}, 10},
                           {{2, 3}, 10},
                           {{4, 5}, 10},
                           {{5, 6}, 10},
                           {{6, 7}, 10},
                           {{0, 4}, 5},
                           {{1, 5}, 5},
                           {{2, 6}, 5},
                           {{3, 7}, 5}}));
  EXPECT_TRUE(collect(*make_lu(1, 5)).empty());
}

}  // namespace
}  // namespace kith
