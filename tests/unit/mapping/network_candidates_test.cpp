// Near slots, and refinement with them, on machines that are no trees.
#include <gtest/gtest.h>

#include "kith/detail/generate.hpp"
#include "kith/detail/graph_network.hpp"
#include "mapping/refine/near_slots.hpp"
#include "unit/mapping/random_refinement.hpp"

namespace kith {
namespace {

std::unique_ptr<Machine> ring_of_routers() {
  NetworkGraph graph;
  graph.nodes = 12;
  graph.vertices = 16;
  for (std::uint32_t node = 0; node < 12; ++node) graph.edges.push_back({node, 12 + node / 3, 1});
  for (std::uint32_t r = 0; r < 4; ++r) graph.edges.push_back({12 + r, 12 + (r + 1) % 4, 2});
  return std::make_unique<NetworkMachine>(std::make_shared<GraphNetwork>(graph, "ring"),
                                          std::vector<std::uint32_t>{2}, "ring");
}

std::vector<std::unique_ptr<Machine>> machines() {
  std::vector<std::unique_ptr<Machine>> all;
  for (const char* spec : {"torus:4x5", "mesh:3x3/4", "torus:2x3/2x2", "hypercube:4", "torus:30/1",
                           "dragonfly:5,2,2", "dragonfly:3,2,1/4"}) {
    all.push_back(parse_machine(spec));
  }
  all.push_back(ring_of_routers());
  return all;
}

TEST(NearSlots, HoldAllowedSlotsAndOneself) {
  std::mt19937_64 random(4);
  for (const auto& whole : machines()) {
    std::vector<Slot> kept{Slot(0)};
    for (std::uint32_t s = 1; s < whole->slots(); ++s) {
      if (random() % 3 == 0) kept.emplace_back(s);
    }
    const auto machine = whole->restricted_to(SlotSet::of(kept));
    for (const bool whole_groups : {false, true}) {
      NearSlots near(*machine, whole_groups);
      std::vector<SlotGroup> groups;
      for (const Slot slot : kept) {
        near.around(slot, groups);
        ASSERT_EQ(groups.front().first, near.group_of(slot).first);
        ASSERT_LE(groups.size(), 25U);
        for (const SlotGroup& group : groups) {
          ASSERT_EQ(group.first.value % group.size, 0U);
          bool any = false;
          for (std::uint32_t i = 0; i < group.size; ++i) {
            any = any || machine->allowed().contains(Slot(group.first.value + i));
          }
          ASSERT_TRUE(any) << machine->spec();
        }
      }
    }
  }
}

TEST(NearSlots, AreThoseNextToOneOnAGrid) {
  const auto machine = parse_machine("torus:4x4x4/2");
  NearSlots near(*machine, true);
  std::vector<SlotGroup> groups;
  near.around(Slot(2 * 21), groups);
  std::size_t neighbours = 0;
  for (const SlotGroup& group : groups) {
    EXPECT_EQ(group.size, 2U);
    neighbours += machine->hops(group.first, Slot(2 * 21)) == 3 ? 1 : 0;
  }
  EXPECT_GE(neighbours, 6U);
}

TEST(NetworkCandidates, ImproveWithinTheRules) {
  std::mt19937_64 random(32);
  const auto all = machines();
  int improved = 0;
  for (std::size_t round = 0; round < 200; ++round) {
    const Machine& machine = *all[round % all.size()];
    if (testing::refine_random_problem(random, machine, round % 3 == 0, Objective::hop_bytes)) {
      ++improved;
    }
    ASSERT_FALSE(HasFailure()) << machine.spec() << ", round " << round;
  }
  EXPECT_GT(improved, 130);
}

TEST(NetworkCandidates, BringPartnersTogether) {
  // Two ranks far apart on an empty grid, no slot between them in use.
  TrafficMatrixBuilder builder(2);
  builder.add(Rank(0), Rank(1), 10);
  const auto graph = TrafficGraph::from(builder.build());
  for (const char* spec : {"torus:16x16", "mesh:8x8x8", "hypercube:8", "dragonfly:9,4,2"}) {
    const auto machine = parse_machine(spec);
    const MapOptions options;
    const Mapping mapping =
        refine_by_swaps({graph, *machine, options}, {{Slot(3), Slot(machine->slots() / 2 + 5)}});
    EXPECT_EQ(machine->hops(mapping[Rank(0)], mapping[Rank(1)]), machine->lowest_cost()) << spec;
  }
}

// What candidates next to slots in number, not in space, cannot do.
TEST(NetworkCandidates, FindThePlacesOfAStencil) {
  const auto graph =
      TrafficGraph::from(to_matrix(*make_permuted(make_stencil({8, 8, 8}, 7, true, {1}), 3)));
  const auto machine = parse_machine("torus:8x8x8");
  const MapOptions options;
  const Mapping start = identity_mapping(512, *machine, 1);
  const Mapping mapping = refine_by_swaps({graph, *machine, options}, start);
  const auto value = [&](const Mapping& m) {
    return evaluate_objective(graph, *machine, m, Objective::hop_bytes);
  };
  EXPECT_LT(value(mapping), value(start) * 48 / 100);
}

}  // namespace
}  // namespace kith
