#include "machine/allocate/free_nodes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace kith {
namespace {

using Grid = std::vector<std::uint32_t>;

TEST(FreeBox, PrefersTheLeastSurface) {
  const Grid extents{4, 8};
  EXPECT_EQ(find_free_box(extents, std::vector<bool>(32, true), 4), (Grid{0, 1, 8, 9}));
  std::vector<bool> one_row(32);
  for (int i = 8; i < 16; ++i) one_row[i] = true;
  EXPECT_EQ(find_free_box(extents, one_row, 4), (Grid{8, 9, 10, 11}));
  EXPECT_EQ(find_free_box(extents, one_row, 9), std::nullopt);
  EXPECT_EQ(find_free_box(extents, std::vector<bool>(32, true), 11), std::nullopt);
}

TEST(FreeBox, FindsOneWheneverThereIsOne) {
  std::mt19937_64 random(3);
  int found = 0;
  for (int round = 0; round < 500; ++round) {
    const Grid extents{1 + static_cast<std::uint32_t>(random() % 4),
                       1 + static_cast<std::uint32_t>(random() % 4),
                       1 + static_cast<std::uint32_t>(random() % 4)};
    const std::uint32_t size = extents[0] * extents[1] * extents[2];
    std::vector<bool> is_free(size);
    for (std::uint32_t i = 0; i < size; ++i) is_free[i] = random() % 4 != 0;
    const std::uint64_t volume = 1 + random() % 8;
    bool exists = false;
    const auto all_free = [&](Grid from, Grid shape) {
      for (std::uint32_t x = 0; x < shape[0]; ++x) {
        for (std::uint32_t y = 0; y < shape[1]; ++y) {
          for (std::uint32_t z = 0; z < shape[2]; ++z) {
            const std::uint32_t node =
                ((from[0] + x) * extents[1] + from[1] + y) * extents[2] + from[2] + z;
            if (!is_free[node]) return false;
          }
        }
      }
      return true;
    };
    for (std::uint32_t corner = 0; corner < size; ++corner) {
      const Grid from{corner / extents[2] / extents[1], corner / extents[2] % extents[1],
                      corner % extents[2]};
      for (std::uint32_t a = 1; from[0] + a <= extents[0]; ++a) {
        for (std::uint32_t b = 1; from[1] + b <= extents[1]; ++b) {
          for (std::uint32_t c = 1; from[2] + c <= extents[2]; ++c) {
            if (std::uint64_t{a} * b * c == volume) exists |= all_free(from, {a, b, c});
          }
        }
      }
    }
    const auto box = find_free_box(extents, is_free, volume);
    ASSERT_EQ(box.has_value(), exists);
    if (!box) continue;
    ++found;
    ASSERT_EQ(box->size(), volume);
    for (const std::uint32_t node : *box) ASSERT_TRUE(is_free[node]);
  }
  EXPECT_GT(found, 100);
}

}  // namespace
}  // namespace kith
