#include "record/row.hpp"

#include <gtest/gtest.h>

namespace kith::record {
namespace {

RowCell cell(std::uint32_t peer, std::uint64_t messages, std::uint64_t p2p, std::uint64_t coll = 0,
             std::uint64_t rma = 0) {
  return {peer, messages, {p2p, coll, rma}};
}

const Row earlier{{cell(1, 1, 10), cell(5, 2, 7)}, {}};
const Row later{{cell(0, 1, 3), cell(1, 2, 10, 4), cell(5, 3, 9)}, {cell(2, 1, 0, 0, 8)}};

TEST(RowTest, DifferenceIsWhatCameSince) {
  const Row expected{{cell(0, 1, 3), cell(1, 1, 0, 4), cell(5, 1, 2)}, {cell(2, 1, 0, 0, 8)}};
  EXPECT_EQ(difference(later, earlier), expected);
  EXPECT_EQ(difference(later, later), Row{});
}

TEST(RowTest, AddingUndoesTheDifference) {
  Row sum = earlier;
  add_to(sum, difference(later, earlier));
  EXPECT_EQ(sum, later);
}

TEST(RowTest, MessagesWithoutBytesStay) {
  Cells cells{cell(2, 1, 0)};
  add_to(cells, {cell(1, 4, 0)});
  EXPECT_EQ(cells, (Cells{cell(1, 4, 0), cell(2, 1, 0)}));
}

TEST(RowTest, TotalIsOverAllClasses) {
  EXPECT_EQ(cell(3, 1, 10, 5, 2).total_bytes(), 17U);
}

}  // namespace
}  // namespace kith::record
