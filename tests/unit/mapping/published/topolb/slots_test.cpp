#include <numeric>

#include <gtest/gtest.h>

#include "mapping/published/topolb/grid_slots.hpp"
#include "mapping/published/topolb/slot_columns.hpp"
#include "unit/mapping/published/topolb/problems.hpp"

namespace kith {
namespace {

using testing::topolb::paper::Int;
using testing::topolb::paper::Table;

/// Sums of distances, distances from a slot and the cheapest slot, held against all pairs, while
/// the slots are taken one after the other.
template <class Slots>
void expect_true_distances(Slots slots, const Table& table, std::mt19937_64& random) {
  const auto sums = slots.distance_sums();
  const auto count = static_cast<std::uint32_t>(table.size());
  ASSERT_EQ(slots.free_slots(), count);
  for (std::uint32_t p = 0; p < count; ++p) {
    ASSERT_EQ(slots.at(sums.of, p), std::accumulate(table[p].begin(), table[p].end(), 0U));
    ASSERT_LE(std::ranges::max(table[p]), static_cast<Int>(sums.longest));
  }
  std::vector<Int> costs(count);
  std::vector<std::uint64_t> field(slots.entries());
  std::vector<std::uint64_t> distances;
  for (std::uint32_t left = count; left > 0; --left) {
    ASSERT_EQ(slots.free_slots(), left);
    std::uint32_t lowest = UINT32_MAX;
    Int sum = 0;
    for (std::uint32_t p = count; p-- > 0;) {
      if (!slots.is_free(p)) continue;
      ASSERT_EQ(slots.at(field, p), static_cast<std::uint64_t>(costs[p]));
      if (lowest == UINT32_MAX || costs[p] <= costs[lowest]) lowest = p;
      sum += costs[p];
    }
    std::uint64_t weighted = 0;
    for (std::uint32_t e = 0; e < slots.entries(); ++e) {
      weighted += field[e] * slots.free_slots_of()[e];
    }
    ASSERT_EQ(weighted, static_cast<std::uint64_t>(sum));
    const auto cheapest = slots.cheapest(field);
    ASSERT_EQ(cheapest.slot, lowest);
    ASSERT_EQ(cheapest.cost, static_cast<std::uint64_t>(costs[lowest]));
    slots.shrink(field, lowest);
    slots.take(lowest);
    if (left == 1) break;
    slots.distances_from(lowest, distances);
    ASSERT_EQ(distances.size(), field.size());
    const auto weight = static_cast<std::uint32_t>(random() % 4);
    for (std::size_t e = 0; e < field.size(); ++e) field[e] += weight * distances[e];
    for (std::uint32_t p = 0; p < count; ++p) costs[p] += weight * table[p][lowest];
  }
}

TEST(TopoLbSlots, DistancesAreThoseOfTheMachine) {
  std::mt19937_64 random(7);
  int grids = 0;
  for (int round = 0; round < 500; ++round) {
    const auto machine = testing::topolb::random_machine(random);
    SCOPED_TRACE(machine->spec());
    const auto objective = round % 2 == 0 ? Objective::hop_bytes : Objective::sum_com;
    const Table table = testing::topolb::distance_table(*machine, objective);
    expect_true_distances(topolb::SlotColumns(*machine, objective), table, random);
    if (HasFailure()) return;
    if (!topolb::GridSlots::can_take(*machine)) continue;
    ++grids;
    expect_true_distances(topolb::GridSlots(*machine), table, random);
    if (HasFailure()) return;
  }
  EXPECT_GT(grids, 100);
}

// What all slots of a cache or a switch cost is kept once.
TEST(TopoLbSlots, EquallyFarSlotsShareAColumn) {
  const auto columns = [](const char* spec) {
    return topolb::SlotColumns(*parse_machine(spec), Objective::hop_bytes).entries();
  };
  EXPECT_EQ(columns("tree:4x2x8"), 8U);
  EXPECT_EQ(columns("torus:4x4/2x8"), 32U);
  EXPECT_EQ(columns("dragonfly:3,2,5"), 6U);
  EXPECT_EQ(columns("mesh:3x3"), 9U);
  EXPECT_EQ(topolb::GridSlots(*parse_machine("mesh:64x64")).entries(), 128U);
}

}  // namespace
}  // namespace kith
