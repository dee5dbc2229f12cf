#include "mapping/multilevel/multilevel.hpp"

#include <gtest/gtest.h>

#include "unit/mapping/property_problems.hpp"

namespace kith {
namespace {

using multilevel::Halves;
using multilevel::Region;

void split_to_the_end(Halves& halves, Region region) {
  ASSERT_FALSE(region.slots() == 0);
  if (region.slots() == 1) return;
  const Region first = halves.split(region);
  ASSERT_EQ(first.begin, region.begin);
  ASSERT_GT(first.end, region.begin);
  ASSERT_LT(first.end, region.end);
  const Region second{first.end, region.end};
  ASSERT_GT(halves.distance(first, second), 0);
  ASSERT_DOUBLE_EQ(halves.distance(first, second), halves.distance(second, first));
  split_to_the_end(halves, first);
  split_to_the_end(halves, second);
}

TEST(Halves, PartAnyMachineDownToItsSlots) {
  const TempDirectory files;
  for (const auto& machine : testing::machine_zoo(files)) {
    SCOPED_TRACE(testing::name_of(*machine));
    for (const Objective objective : {Objective::hop_bytes, Objective::sum_com}) {
      const auto halves = Halves::of(*machine, objective, machine->allowed().to_vector());
      split_to_the_end(*halves, halves->all());
      std::vector<Slot> slots(halves->slots().begin(), halves->slots().end());
      std::ranges::sort(slots);
      EXPECT_EQ(slots, machine->allowed().to_vector());
    }
  }
}

TEST(Halves, CutGridsAcrossTheirLongestSide) {
  const auto machine = parse_machine("mesh:3x8/2");
  const auto halves = Halves::of(*machine, Objective::hop_bytes, machine->allowed().to_vector());
  const Region left = halves->split(halves->all());
  EXPECT_EQ(left.slots(), 24U);
  for (std::uint32_t i = left.begin; i < left.end; ++i) {
    EXPECT_LT(halves->slots()[i].value / 2 % 8, 4U);
  }
  EXPECT_DOUBLE_EQ(halves->distance(left, {left.end, 48}), 4);
}

}  // namespace
}  // namespace kith
