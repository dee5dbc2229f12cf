#include "mapping/constraints.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

namespace kith {
namespace {

void expect_consistent(const Occupancy& occupancy, std::uint32_t slots) {
  std::map<Slot, std::set<std::uint32_t>> expected;
  for (std::uint32_t r = 0; r < occupancy.mapping().ranks(); ++r) {
    expected[occupancy.mapping()[Rank(r)]].insert(r);
  }
  for (std::uint32_t s = 0; s < slots; ++s) {
    std::set<std::uint32_t> found;
    for (std::uint32_t r = occupancy.first(Slot(s)); r != Occupancy::no_rank;
         r = occupancy.next(r)) {
      ASSERT_TRUE(found.insert(r).second);
    }
    ASSERT_EQ(found, expected[Slot(s)]);
    ASSERT_EQ(occupancy.count(Slot(s)), found.size());
  }
}

// Many slots, few ranks: the table must be made anew on the way.
TEST(Occupancy, StaysTheInverse) {
  std::mt19937 random(1);
  constexpr std::uint32_t slots = 300;
  constexpr std::uint32_t ranks = 20;
  Mapping mapping;
  for (std::uint32_t r = 0; r < ranks; ++r) mapping.slot_of.emplace_back(random() % slots);
  Occupancy occupancy(mapping);
  expect_consistent(occupancy, slots);
  for (int i = 0; i < 3000; ++i) {
    const auto a = static_cast<std::uint32_t>(random());
    const auto b = static_cast<std::uint32_t>(random());
    switch (i % 3) {
      case 0:
        occupancy.move(Rank(a % ranks), Slot(b % slots));
        break;
      case 1:
        occupancy.swap(Rank(a % ranks), Rank(b % ranks));
        break;
      default:
        occupancy.swap_slots(Slot(a % slots), Slot(b % slots));
    }
    if (i % 50 == 0) expect_consistent(occupancy, slots);
    if (HasFatalFailure()) return;
  }
}

TEST(Occupancy, SwapsRanksAndSlots) {
  Occupancy occupancy({{Slot(0), Slot(0), Slot(5)}});
  occupancy.swap(Rank(0), Rank(2));
  EXPECT_EQ(occupancy.mapping(), (Mapping{{Slot(5), Slot(0), Slot(0)}}));
  occupancy.swap(Rank(1), Rank(1));
  occupancy.swap_slots(Slot(0), Slot(7));
  EXPECT_EQ(occupancy.mapping(), (Mapping{{Slot(5), Slot(7), Slot(7)}}));
  occupancy.swap_slots(Slot(7), Slot(7));
  EXPECT_EQ(occupancy.count(Slot(7)), 2U);
  EXPECT_EQ(occupancy.first(Slot(0)), Occupancy::no_rank);
}

}  // namespace
}  // namespace kith
