#include "mapping/remap/remap.hpp"

#include <gtest/gtest.h>

#include <random>

#include "mapping/constraints.hpp"
#include "unit/objective/random_problem.hpp"

namespace kith {
namespace {

TEST(Stay, MovesNobodyWhoNeedNotMove) {
  std::mt19937_64 random(1);
  for (const char* spec : {"tree:40x8", "torus:8x8x5", "dragonfly:10,4,8", "mesh:10x4/2x4"}) {
    const auto whole = parse_machine(spec);
    const auto machine = whole->restricted_to(SlotSet::parse("8-319", "--forbid"));
    const auto graph = TrafficGraph::from(testing::random_matrix(random, 300, 0.05, 100));
    MapOptions options;
    options.from = testing::random_mapping(random, 300, *whole, 1);
    options.from->slot_of[7] = no_slot;
    options.from->slot_of[8] = Slot(123'456);
    const Mapping mapping = stay({graph, *machine, options});
    check_mapping(mapping, *machine, 1);
    std::uint32_t away = 0;
    for (Rank r(0); r.value < 300; ++r) {
      const Slot place = (*options.from)[r];
      if (machine->allowed().contains(place)) {
        EXPECT_EQ(mapping[r], place) << spec;
      } else {
        ++away;
      }
    }
    EXPECT_GT(away, 2U);
  }
}

TEST(Stay, PutsNewRanksBesideTheirPartners) {
  // Ranks 4 and 5 are new; 4 talks to 5 most, 5 to rank 2: so 5 is the first to get a slot.
  TrafficMatrixBuilder builder(6);
  builder.add(Rank(4), Rank(5), 20);
  builder.add(Rank(5), Rank(2), 10);
  const auto graph = TrafficGraph::from(builder.build());
  for (const char* spec : {"tree:100x10", "mesh:100/10", "tree:10x10000"}) {
    const auto machine = parse_machine(spec);
    MapOptions options;
    options.from = Mapping{{Slot(0), Slot(1), Slot(55), Slot(999), no_slot, no_slot}};
    const Mapping mapping = stay({graph, *machine, options});
    EXPECT_EQ(machine->hops(mapping[Rank(5)], mapping[Rank(2)]), 2U) << spec;
    EXPECT_EQ(machine->hops(mapping[Rank(4)], mapping[Rank(5)]), 2U) << spec;
  }
}

/// Ranks on all of `taken` and one more, which talks to the rank on `partner` only: its slot.
Slot slot_of_new_rank(const Machine& machine, const std::vector<std::uint32_t>& taken,
                      std::uint32_t partner) {
  const auto settled = static_cast<std::uint32_t>(taken.size());
  TrafficMatrixBuilder builder(settled + 1);
  MapOptions options;
  options.from.emplace();
  for (std::uint32_t r = 0; r < settled; ++r) {
    options.from->slot_of.emplace_back(taken[r]);
    if (taken[r] == partner) builder.add(Rank(r), Rank(settled), 10);
  }
  options.from->slot_of.push_back(no_slot);
  const auto graph = TrafficGraph::from(builder.build());
  return stay({graph, machine, options})[Rank(settled)];
}

TEST(Stay, FindsTheNearestFreeSlotsOfLargeTrees) {
  // Of 4096 hosts of 4 all slots but the first, one on host 100 and 1000 at the end are taken.
  const auto machine = parse_machine("tree:64x64x4");
  for (const std::uint32_t gap : {402U, 400U}) {
    std::vector<std::uint32_t> taken;
    for (std::uint32_t slot = 1; slot < 16'384 - 1000; ++slot) {
      if (slot != gap) taken.push_back(slot);
    }
    EXPECT_EQ(slot_of_new_rank(*machine, taken, 401), Slot(gap));
  }
}

TEST(Stay, FindsTheNearestFreeSlotsAcrossTheRowsOfATorus) {
  // Rows 5 and 6 of 32 are taken: the nearest is above, not the next by number.
  const auto machine = parse_machine("torus:32x32");
  std::vector<std::uint32_t> taken;
  for (std::uint32_t slot = 5 * 32; slot < 7 * 32; ++slot) taken.push_back(slot);
  EXPECT_EQ(slot_of_new_rank(*machine, taken, 5 * 32 + 9), Slot(4 * 32 + 9));
}

TEST(Stay, GivesWayToFixedRanksAndToCapacity) {
  const auto machine = parse_machine("tree:2x4");
  TrafficMatrixBuilder builder(4);
  builder.add(Rank(0), Rank(1), 1);
  const auto graph = TrafficGraph::from(builder.build());
  MapOptions options;
  options.from = Mapping{{Slot(2), Slot(3), Slot(3), Slot(7)}};
  options.fixed = {{Rank(3), Slot(2)}};
  const Mapping mapping = stay({graph, *machine, options});
  EXPECT_EQ(mapping[Rank(3)], Slot(2));
  EXPECT_EQ(mapping[Rank(1)], Slot(3));
  EXPECT_LT(mapping[Rank(0)], Slot(2));  // beside rank 1
  options.capacity = 2;
  const Mapping shared = stay({graph, *machine, options});
  EXPECT_EQ(shared, (Mapping{{Slot(2), Slot(3), Slot(3), Slot(2)}}));
}

TEST(Stay, TakesNoTimeOnHugeMachines) {
  const auto machine = parse_machine("tree:10000x10000");
  TrafficMatrixBuilder builder(3);
  builder.add(Rank(0), Rank(2), 1);
  const auto graph = TrafficGraph::from(builder.build());
  MapOptions options;
  options.from = Mapping{{Slot(55'555'555), Slot(1), no_slot}};
  const Mapping mapping = stay({graph, *machine, options});
  EXPECT_EQ(mapping[Rank(0)], Slot(55'555'555));
  EXPECT_EQ(machine->hops(mapping[Rank(0)], mapping[Rank(2)]), 2U);
}

}  // namespace
}  // namespace kith
