#include "kith/detail/lower_bound.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "kith/detail/generate.hpp"
#include "unit/objective/random_problem.hpp"

namespace kith {
namespace {

std::uint64_t bound_of(const TrafficGraph& graph, const Machine& machine, Objective objective,
                       std::uint32_t capacity = 1) {
  return objective_lower_bound(graph, machine, objective, capacity)->value.units;
}

/// The least objective of all mappings, by trying all that can be better than the best so far.
class Trial {
 public:
  Trial(const TrafficGraph& graph, const Machine& machine, Objective objective,
        std::uint32_t capacity)
      : graph_(graph), machine_(machine), objective_(objective) {
    for (const Slot slot : machine.allowed().to_vector()) places_.push_back({slot, capacity});
  }
  std::uint64_t least() {
    place(Rank(0), 0);
    return least_;
  }

 private:
  struct Place {
    Slot slot;
    std::uint32_t room;
  };

  void place(Rank rank, std::uint64_t sum) {
    if (sum >= least_) return;
    if (rank.value == graph_.ranks()) {
      least_ = sum;
      return;
    }
    for (Place& place : places_) {
      if (place.room == 0) continue;
      std::uint64_t here = sum;
      for (std::size_t i = 0; i < graph_.degree(rank); ++i) {
        const Rank other = graph_.neighbours(rank)[i];
        if (rank < other) continue;
        const Slot there = slot_of_[other.value];
        here += graph_.weights(rank)[i] * (objective_ == Objective::hop_bytes
                                               ? machine_.hops(place.slot, there)
                                               : machine_.cost(place.slot, there));
      }
      --place.room;
      slot_of_.push_back(place.slot);
      this->place(Rank(rank.value + 1), here);
      slot_of_.pop_back();
      ++place.room;
    }
  }

  const TrafficGraph& graph_;
  const Machine& machine_;
  Objective objective_;
  std::vector<Place> places_;
  std::vector<Slot> slot_of_;
  std::uint64_t least_ = std::numeric_limits<std::uint64_t>::max();
};

/// Costs in any order, too.
std::unique_ptr<Machine> random_machine(std::mt19937_64& random) {
  const char* const specs[] = {"tree:2x2x2@5,9,2",   "tree:4x2@1,7",    "tree:(4,2,1)",
                               "tree:(2*(2),1*(3))", "torus:4x2",       "torus:7",
                               "mesh:3x2",           "mesh:2x2/2",      "mesh:5",
                               "hypercube:3",        "dragonfly:2,2,2", "torus:3/2",
                               "fattree:2,3,2",      "tree:2x4@2.5,.5", "mesh:2/2x2"};
  constexpr std::size_t known = std::size(specs);
  const std::size_t which = random() % (known + 4);
  std::unique_ptr<Machine> machine;
  if (which < known) {
    machine = parse_machine(specs[which]);
  } else if (which % 2 == 0) {
    machine = testing::random_symmetric_tree(random, 8);
  } else {
    machine = testing::random_unequal_tree(random);
  }
  std::vector<Slot> slots;
  for (std::uint32_t s = 0; s < machine->slots(); ++s) slots.emplace_back(s);
  if (random() % 2 == 0 || slots.size() > 8) {
    std::ranges::shuffle(slots, random);
    slots.resize(1 + random() % std::min<std::size_t>(8, slots.size()));
  }
  return machine->restricted_to(SlotSet::of(slots));
}

/// Anything; or a small grid, some of whose pairs differ.
TrafficGraph random_graph(std::mt19937_64& random, std::uint32_t most) {
  const std::vector<std::vector<std::uint32_t>> grids{{2, 3}, {2, 4}, {3, 2}, {2, 2, 2}};
  if (random() % 2 == 0 || most < 8) {
    const auto ranks = static_cast<std::uint32_t>(1 + random() % std::min(7U, most));
    return TrafficGraph::from(testing::random_matrix(
        random, ranks, 0.2 + 0.2 * static_cast<double>(random() % 4), random() % 2 ? 3 : 1000));
  }
  const auto& extents = grids[random() % grids.size()];
  const unsigned points = extents.size() == 2 ? (random() % 2 ? 5 : 9) : (random() % 2 ? 7 : 27);
  std::vector<Weight> weights{40};
  if (points == 9) weights = {40, 5};
  if (points == 27) weights = {40, 5, 1};
  const TrafficMatrix matrix = to_matrix(*make_permuted(
      make_stencil(extents, points, random() % 2 == 0, std::move(weights)), random()));
  TrafficMatrixBuilder builder(matrix.ranks());
  for (Rank a(0); a.value < matrix.ranks(); ++a) {
    for (std::size_t i = 0; i < matrix.destinations(a).size(); ++i) {
      const std::uint64_t change = random() % 5 == 0 ? random() % 30 : 0;
      builder.add(a, matrix.destinations(a)[i], matrix.weights(a)[i] + change);
    }
  }
  return TrafficGraph::from(builder.build());
}

TEST(LowerBound, IsReachedWhereEachRankCanHaveAllItsTalkersNear) {
  TrafficMatrixBuilder builder(8);
  for (std::uint32_t i = 0; i < 8; i += 2) builder.add(Rank(i), Rank(i + 1), 10);
  builder.add(Rank(0), Rank(7), 1);
  const auto graph = TrafficGraph::from(builder.build());
  // Pairs at 2 hops; ranks 0 and 7 have a second talker each, who can be no nearer than 4.
  const auto machine = parse_machine("tree:2x2x2");
  const auto bound = objective_lower_bound(graph, *machine, Objective::hop_bytes, 1);
  ASSERT_TRUE(bound);
  EXPECT_EQ(bound->value.units, 4U * 10 * 2 + 4);
  EXPECT_EQ(bound->value.scale, 1U);
  EXPECT_EQ(bound->reason, "each rank's heaviest partners as near as they fit");
  const auto scaled = parse_machine("tree:2x2x2@9,5,.5");
  const auto cost = objective_lower_bound(graph, *scaled, Objective::sum_com, 1);
  EXPECT_EQ(cost->value.units, 4U * 10 * 5 + 50);
  EXPECT_EQ(cost->value.scale, 10U);
  // Two to a slot: the pairs are at no distance.
  EXPECT_EQ(bound_of(graph, *machine, Objective::hop_bytes, 2), 2U);
}

// The pair 0-1 is heavier than what either could have instead; by the heaviest of each rank alone,
// half of two lighter pairs would stay together.
TEST(LowerBound, CountsAPairOnlyWhereBothRanksHaveRoomForIt) {
  TrafficMatrixBuilder builder(4);
  builder.add(Rank(0), Rank(1), 10);
  builder.add(Rank(0), Rank(2), 8);
  builder.add(Rank(1), Rank(3), 8);
  const auto graph = TrafficGraph::from(builder.build());
  const auto machine = parse_machine("tree:2x2@3,1");
  // 0-2 and 1-3 together: 16 at 1, 10 at 3.
  EXPECT_EQ(bound_of(graph, *machine, Objective::sum_com), 46U);
}

TEST(LowerBound, KnowsThatFewRanksFitOnTheLargeNode) {
  TrafficMatrixBuilder builder(6);
  for (std::uint32_t a = 0; a < 6; ++a) {
    for (std::uint32_t b = 0; b < a; ++b) builder.add(Rank(a), Rank(b), 1);
  }
  const auto graph = TrafficGraph::from(builder.build());
  const auto machine = parse_machine("tree:(4,1,1)");
  EXPECT_EQ(bound_of(graph, *machine, Objective::hop_bytes), 6U * 2 + 9 * 4);
}

struct Grid {
  std::vector<std::uint32_t> extents;
  unsigned points;
  std::vector<Weight> weights;
  const char* machine;
  std::uint64_t bound;
};

// In all of these but the last two a tiling is as good.
TEST(LowerBound, KnowsSurfacesOfGrids) {
  const Grid grids[] = {
      {{32, 32}, 5, {1}, "tree:64x2x8@100,10,1", 2U * 48640},
      {{128, 128}, 5, {1}, "tree:16x16x4x16@1000,100,10,1", 2U * 1140736},
      {{16, 16, 16}, 7, {1}, "tree:64x4x16@100,10,1", 2U * 258048},
      {{16, 16, 16}, 7, {1}, "torus:16x16x16", 2U * 11520},
      {{256, 512}, 5, {1}, "tree:32x32x4x32@1000,100,10,1", 2U * 5742592},
      {{32, 32, 32}, 7, {1}, "tree:16x32x4x16@1000,100,10,1", 2U * 6662784},
  };
  for (const Grid& grid : grids) {
    const auto graph = TrafficGraph::from(
        to_matrix(*make_permuted(make_stencil(grid.extents, grid.points, false, grid.weights), 1)));
    const auto machine = parse_machine(grid.machine);
    EXPECT_EQ(bound_of(graph, *machine, default_objective(*machine)), grid.bound) << grid.machine;
  }
}

TEST(LowerBound, SaysWhyItHolds) {
  const auto graph =
      TrafficGraph::from(to_matrix(*make_stencil({8, 8}, 5, true, {std::uint64_t{1} << 40U})));
  const auto machine = parse_machine("tree:4x16@10,1");
  const auto bound = objective_lower_bound(graph, *machine, Objective::sum_com, 1);
  EXPECT_EQ(bound->reason, "isoperimetric, 2D 5-point stencil 8x8, periodic");
  const std::optional<GridStructure> none;
  const auto without = objective_lower_bound(graph, *machine, Objective::sum_com, 1, &none);
  EXPECT_LT(without->value.units, bound->value.units);
  // Blocks of 4x4 and two closed rows cut 16 each.
  EXPECT_EQ(bound->value.units >> 41U, 128U + 9 * 32);
}

TEST(LowerBound, IsBelowEveryMapping) {
  std::mt19937_64 random(81);
  int reached = 0;
  int rounds = 0;
  for (int round = 0; round < 500; ++round) {
    const auto machine = random_machine(random);
    const auto capacity = static_cast<std::uint32_t>(1 + random() % 3);
    const auto room = static_cast<std::uint32_t>(machine->allowed().size()) * capacity;
    const auto graph = random_graph(random, room);
    for (const Objective objective : {Objective::hop_bytes, Objective::sum_com}) {
      const std::uint64_t least = Trial(graph, *machine, objective, capacity).least();
      const std::uint64_t bound = bound_of(graph, *machine, objective, capacity);
      ASSERT_LE(bound, least) << machine->spec() << ", " << graph.ranks() << " ranks, round "
                              << round;
      reached += bound == least ? 1 : 0;
      ++rounds;
    }
  }
  EXPECT_GT(reached, rounds / 2);
}

TEST(LowerBound, HoldsWhereUpperLevelsAreCheaper) {
  TrafficMatrixBuilder builder(4);
  builder.add(Rank(0), Rank(1), 10);
  const auto graph = TrafficGraph::from(builder.build());
  const auto machine = parse_machine("tree:2x2@3,8");
  EXPECT_EQ(bound_of(graph, *machine, Objective::sum_com), 30U);
}

// Sizes alone never matter: intervals of slots are counted, not slots.
TEST(LowerBound, TakesHugeMachines) {
  TrafficMatrixBuilder builder(3);
  builder.add(Rank(0), Rank(1), 10);
  builder.add(Rank(1), Rank(2), 10);
  const auto graph = TrafficGraph::from(builder.build());
  EXPECT_EQ(bound_of(graph, *parse_machine("tree:65536x32768@9,2"), Objective::sum_com), 40U);
  EXPECT_EQ(bound_of(graph, *parse_machine("torus:65536x65535"), Objective::hop_bytes), 20U);
  EXPECT_EQ(bound_of(graph, *parse_machine("torus:65536/4x2"), Objective::hop_bytes), 60U);
}

TEST(LowerBound, IsUnknownWithoutAMachineThatTellsPlacesApart) {
  const auto graph = TrafficGraph::from(TrafficMatrixBuilder(4).build());
  const auto tree = TreeMachine::symmetric({600}, {}, 1, "tree:600");
  const testing::PlainMachine plain(*tree);
  EXPECT_FALSE(objective_lower_bound(graph, plain, Objective::hop_bytes, 1).has_value());
}

}  // namespace
}  // namespace kith
