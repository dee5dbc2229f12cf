// What is said of swaps before they are looked at, beside the swaps themselves.
#include <gtest/gtest.h>

#include "mapping/constraints.hpp"
#include "mapping/refine/candidates.hpp"
#include "unit/objective/random_problem.hpp"

namespace kith {
namespace {

/// Calls see(floor of the swap, change by it) for the swaps of all ranks that are offered.
template <class See>
void for_each_swap(const TrafficGraph& graph, const Occupancy& occupancy,
                   const TreeDistance& distance, TreeCandidates& candidates, const See& see) {
  const Mapping& mapping = occupancy.mapping();
  const SwapGain<TreeDistance> gain(graph, mapping, distance);
  for (Rank r(0); r.value < graph.ranks(); ++r) {
    candidates.for_each(
        r, [] { return true; },
        [&](Slot slot, const TreeCandidates::Floor& floor) {
          std::uint32_t partner = occupancy.first(slot);
          for (; partner != Occupancy::no_rank; partner = occupancy.next(partner)) {
            see(candidates.least_change(Rank(partner), floor), gain.swap(r, Rank(partner)));
          }
        });
  }
}

TEST(TreeCandidates, NoSwapIsBetterThanItsFloor) {
  std::mt19937_64 random(5);
  int swaps = 0;
  int told_apart = 0;
  for (const char* spec : {"tree:2x3x4", "tree:4x6@9,1", "tree:2x2x5@1,7,2", "tree:20"}) {
    const auto machine = parse_machine(spec);
    for (std::uint32_t capacity = 1; capacity <= 3; ++capacity) {
      const auto ranks = static_cast<std::uint32_t>(capacity * machine->slots() - random() % 3);
      const auto graph = TrafficGraph::from(testing::random_matrix(random, ranks, 0.15, 100));
      const TreeDistance distance(*machine->as_tree(), Objective::sum_com);
      Occupancy occupancy(testing::random_mapping(random, ranks, *machine, capacity));
      TreeCandidates candidates(graph, occupancy.mapping(), distance, capacity);
      for (int round = 0; round < 20; ++round) {
        for_each_swap(graph, occupancy, distance, candidates,
                      [&](SignedWide least, SignedWide change) {
                        EXPECT_TRUE(least <= change) << spec;
                        ++swaps;
                        told_apart += least >= 0 ? 1 : 0;
                      });
        const Rank a(static_cast<std::uint32_t>(random() % ranks));
        const Rank b(static_cast<std::uint32_t>(random() % ranks));
        occupancy.swap(a, b);
        candidates.moved(a);
        candidates.moved(b);
      }
    }
  }
  EXPECT_GT(told_apart, 100);
  EXPECT_GT(swaps, 10'000);
}

TEST(TreeCandidates, WhatDoesNotFit64BitsIsNotTold) {
  const auto machine = parse_machine("tree:2x2@4000000000,1");
  TrafficMatrixBuilder builder(4);
  builder.add(Rank(0), Rank(2), std::uint64_t{1} << 62U);
  builder.add(Rank(0), Rank(1), 5);
  const auto graph = TrafficGraph::from(builder.build());
  const TreeDistance distance(*machine->as_tree(), Objective::sum_com);
  const Occupancy occupancy(identity_mapping(4, *machine, 1));
  TreeCandidates candidates(graph, occupancy.mapping(), distance, 1);
  int swaps = 0;
  for_each_swap(graph, occupancy, distance, candidates, [&](SignedWide least, SignedWide change) {
    EXPECT_TRUE(least <= change);
    ++swaps;
  });
  EXPECT_GT(swaps, 0);
}

}  // namespace
}  // namespace kith
