#include "record/row.hpp"

#include <gtest/gtest.h>

namespace kith::record {
namespace {

Row row(std::vector<RowCell> p2p, std::vector<RowCell> coll = {}) {
  Row out;
  out[TrafficClass::p2p] = std::move(p2p);
  out[TrafficClass::coll] = std::move(coll);
  return out;
}

TEST(RowTest, DifferenceIsWhatCameSince) {
  const Row earlier = row({{1, 10, 1}, {5, 7, 2}});
  const Row later = row({{0, 3, 1}, {1, 10, 1}, {5, 9, 3}}, {{2, 0, 4}});
  EXPECT_EQ(difference(later, earlier), row({{0, 3, 1}, {5, 2, 1}}, {{2, 0, 4}}));
  EXPECT_EQ(difference(later, later), Row{});
}

TEST(RowTest, AddingUndoesTheDifference) {
  const Row earlier = row({{1, 10, 1}, {5, 7, 2}});
  const Row later = row({{0, 3, 1}, {1, 10, 1}, {5, 9, 3}}, {{2, 0, 4}});
  Row sum = earlier;
  add_to(sum, difference(later, earlier));
  EXPECT_EQ(sum, later);
}

TEST(RowTest, TotalMergesClasses) {
  const Row both = row({{1, 10, 1}, {3, 1, 1}}, {{1, 5, 2}, {2, 0, 1}});
  EXPECT_EQ(total_of(both), (std::vector<RowCell>{{1, 15, 3}, {2, 0, 1}, {3, 1, 1}}));
}

}  // namespace
}  // namespace kith::record
