#include "mapping/refine/refine.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <string_view>

#include "kith/detail/generate.hpp"
#include "mapping/refine/anneal_places.hpp"
#include "mapping/refine/near_slots.hpp"
#include "unit/mapping/property_problems.hpp"

namespace kith {
namespace {

std::uint64_t value(const MapProblem& problem, const Mapping& mapping) {
  return evaluate_objective(problem.graph, problem.machine, mapping, problem.options.objective);
}

TEST(Anneal, KeepsTheRulesOnAnyMachine) {
  const TempDirectory files;
  std::mt19937_64 random(5);
  int improved = 0;
  for (const auto& whole : testing::machine_zoo(files)) {
    for (int round = 0; round < 8; ++round) {
      std::vector<Slot> kept;
      for (const Slot slot : whole->allowed().to_vector()) {
        if (round % 2 == 0 || random() % 3 > 0) kept.push_back(slot);
      }
      if (kept.empty()) continue;
      const auto machine = whole->restricted_to(SlotSet::of(kept));
      MapOptions options;
      options.objective = round % 4 < 2 ? Objective::hop_bytes : Objective::sum_com;
      options.capacity = static_cast<std::uint32_t>(1 + random() % 3);
      const auto ranks =
          static_cast<std::uint32_t>(1 + random() % (options.capacity * kept.size()));
      const auto graph = TrafficGraph::from(testing::random_matrix(random, ranks, 0.2, 100));
      const Mapping before = testing::random_mapping(random, ranks, *machine, options.capacity);
      for (std::uint32_t r = 0; r < ranks; r += 4) {
        options.fixed.push_back({Rank(r), before[Rank(r)]});
      }
      const MapProblem problem{graph, *machine, options};
      const Mapping after = anneal(problem, before, {}, 7, nullptr);
      SCOPED_TRACE(testing::name_of(*machine));
      EXPECT_NO_THROW(check_mapping(after, *machine, options.capacity));
      for (const FixedRank& fixed : options.fixed) EXPECT_EQ(after[fixed.rank], fixed.slot);
      EXPECT_LE(value(problem, after), value(problem, before));
      EXPECT_EQ(anneal(problem, before, {}, 7, nullptr), after);
      if (value(problem, after) < value(problem, before)) ++improved;
    }
  }
  EXPECT_GT(improved, 100);
}

TEST(Anneal, LeavesWhatEachSlotMustHave) {
  std::mt19937_64 random(9);
  const auto machine = parse_machine("torus:4x4");
  MapOptions options;
  options.capacity = 4;
  options.least = 1;
  const auto graph = TrafficGraph::from(testing::random_matrix(random, 32, 0.3, 100));
  Mapping mapping;
  for (std::uint32_t r = 0; r < 32; ++r) mapping.slot_of.emplace_back(r % 16);
  mapping = anneal({graph, *machine, options}, mapping, {}, 1, nullptr);
  EXPECT_EQ(std::set(mapping.slot_of.begin(), mapping.slot_of.end()).size(), 16U);
}

TEST(Anneal, KeepsWhatItHasWhenTheTimeIsUp) {
  const auto machine = parse_machine("torus:16x16");
  MapOptions options;
  options.time_limit = 0.2;
  const auto graph =
      TrafficGraph::from(to_matrix(*make_permuted(make_stencil({16, 16}, 5, false, {1}), 3)));
  const MapProblem problem{graph, *machine, options};
  const Mapping before = identity_mapping(256, *machine, 1);
  Budget budget(options);
  Cooling endless;
  endless.tests_per_rank = 1'000'000'000;
  endless.from = 0.02;
  const Mapping after = anneal(problem, before, endless, 1, &budget);
  EXPECT_EQ(budget.stopped(), Stopped::time);
  EXPECT_LT(value(problem, after), value(problem, before));
}

TEST(Anneal, GetsPastWhereSwapsEnd) {
  const auto machine = parse_machine("torus:6x6x6");
  const MapOptions options;
  const auto graph =
      TrafficGraph::from(to_matrix(*make_permuted(make_stencil({6, 6, 6}, 7, false, {1}), 3)));
  const MapProblem problem{graph, *machine, options};
  const Mapping swapped = refine_by_swaps(problem, identity_mapping(216, *machine, 1));
  const Mapping annealed = anneal(problem, swapped, {}, 1, nullptr);
  EXPECT_LT(static_cast<double>(value(problem, annealed)),
            0.9 * static_cast<double>(value(problem, swapped)));
}

TEST(Anneal, AnswersWithTheStartWhereTheBudgetEndsInTheHeat) {
  const auto machine = parse_machine("torus:4x4x4");
  MapOptions options;
  const auto graph = TrafficGraph::from(to_matrix(*make_stencil({4, 4, 4}, 7, true, {1})));
  const Mapping best = identity_mapping(64, *machine, 1);
  options.work = 2000;
  Budget budget(options);
  const MapTask problem{graph, *machine, options, &budget};
  EXPECT_EQ(anneal(problem, best, {5, 1, 1000}, 1, &budget), best);
  EXPECT_EQ(budget.spent(), 2000U);
}

TEST(GridPlaces, KnowTheDistancesOfGrids) {
  std::mt19937_64 random(2);
  for (const char* spec :
       {"torus:5x4x3", "torus:16x16x16/2x4", "mesh:7x9", "mesh:3x2/2x2", "torus:4", "hypercube:10",
        "hypercube:3/2x2", "torus:2x3x4x5x6", "torus:1x1", "torus:256x256", "torus:1x1/4"}) {
    SCOPED_TRACE(spec);
    const auto machine = parse_machine(spec);
    ASSERT_TRUE(GridPlaces::suit(*machine->as_network()));
    const GridPlaces places(*machine->as_network());
    std::optional<GridOffsets> offsets;
    if (GridOffsets::suit(*machine->as_network())) offsets.emplace(*machine->as_network());
    EXPECT_EQ(offsets.has_value(), std::string_view(spec) != "torus:256x256");
    for (int i = 0; i < 2000; ++i) {
      const Slot a(static_cast<std::uint32_t>(random() % machine->slots()));
      const Slot b(static_cast<std::uint32_t>(i % 10 == 0 ? a.value : random() % machine->slots()));
      ASSERT_EQ(places.from(places.place(a))(places.place(b)), machine->hops(a, b));
      if (!offsets) continue;
      ASSERT_EQ(offsets->from(offsets->place(a))(offsets->place(b)), machine->hops(a, b));
    }
  }
  for (const char* spec : {"torus:257", "mesh:40x40x40x40x40", "dragonfly:5,2,2"}) {
    EXPECT_FALSE(GridPlaces::suit(*parse_machine(spec)->as_network())) << spec;
  }
  for (const char* spec :
       {"torus:40000", "mesh:40x40x40x40x40", "torus:4x4/256", "dragonfly:5,2,2"}) {
    EXPECT_FALSE(GridOffsets::suit(*parse_machine(spec)->as_network())) << spec;
  }
}

TEST(TablePlaces, KnowTheDistancesBetweenAllowedSlots) {
  const TempDirectory files;
  for (const auto& machine : testing::machine_zoo(files)) {
    const NetworkMachine* network = machine->as_network();
    if (network == nullptr) continue;
    SCOPED_TRACE(testing::name_of(*machine));
    ASSERT_TRUE(TablePlaces::suit(*network, 1e9));
    const TablePlaces hops(*network, Objective::hop_bytes);
    const TablePlaces costs(*network, Objective::sum_com);
    for (const Slot a : machine->allowed().to_vector()) {
      for (const Slot b : machine->allowed().to_vector()) {
        ASSERT_EQ(hops.from(hops.place(a))(hops.place(b)), machine->hops(a, b));
        ASSERT_EQ(costs.from(costs.place(a))(costs.place(b)), machine->cost(a, b));
      }
    }
  }
  const auto dragonfly = parse_machine("dragonfly:33,16,16");
  EXPECT_TRUE(TablePlaces::suit(*dragonfly->as_network(), 1e9)) << "a site is a router";
  EXPECT_FALSE(TablePlaces::suit(*dragonfly->as_network(), 10)) << "not worth it";
  EXPECT_FALSE(TablePlaces::suit(*parse_machine("dragonfly:65,32,4")->as_network(), 1e9));
}

TEST(TreePlaces, KnowTheDistancesOfTrees) {
  const TempDirectory files;
  int trees = 0;
  for (const auto& machine : testing::machine_zoo(files)) {
    const TreeMachine* tree = machine->as_tree();
    if (tree == nullptr) continue;
    SCOPED_TRACE(testing::name_of(*machine));
    ++trees;
    const TreePlaces hops(TreeDistance(*tree, Objective::hop_bytes));
    const TreePlaces costs(TreeDistance(*tree, Objective::sum_com));
    for (const Slot a : machine->allowed().to_vector()) {
      for (const Slot b : machine->allowed().to_vector()) {
        ASSERT_EQ(hops.from(hops.place(a))(hops.place(b)), machine->hops(a, b));
        ASSERT_EQ(costs.from(costs.place(a))(costs.place(b)), machine->cost(a, b));
      }
    }
  }
  EXPECT_GT(trees, 3);
}

TEST(SlotTablePlaces, KnowAllDistancesOfSmallMachines) {
  for (const char* spec : {"tree:3x5x2@50,7,1", "torus:4x3x2/2;slots=1-17,20-30", "fattree:4,3"}) {
    SCOPED_TRACE(spec);
    const auto machine = parse_machine(spec);
    ASSERT_TRUE(SlotTablePlaces::suit(*machine, 1e9));
    EXPECT_FALSE(SlotTablePlaces::suit(*machine, 10)) << "not worth it";
    const SlotTablePlaces places(*machine, Objective::sum_com);
    for (const Slot a : machine->allowed().to_vector()) {
      for (const Slot b : machine->allowed().to_vector()) {
        ASSERT_EQ(places.from(places.place(a))(places.place(b)), machine->cost(a, b));
      }
    }
  }
  EXPECT_FALSE(SlotTablePlaces::suit(*parse_machine("tree:257"), 1e9));
}

TEST(SlotProposals, LeaveTheBrothersOfASlot) {
  const auto machine = parse_machine("tree:4x3x5");
  SlotProposals proposals(*machine);
  QuickRng rng(2);
  std::set<Slot> near;
  std::set<Slot> beside;
  for (int i = 0; i < 3000; ++i) {
    near.insert(proposals.near(Slot(33), rng));
    beside.insert(proposals.beside(Slot(33), rng));
  }
  EXPECT_EQ(near.size(), 60U);
  EXPECT_EQ(beside.size(), 60U) << "from higher objects the brothers come, too, but rarely";
}

TEST(SlotProposals, ReachTheNeighboursOfANode) {
  const auto machine = parse_machine("torus:5x4x3/2;slots=2-119");
  SlotProposals proposals(*machine);
  QuickRng rng(4);
  std::set<Slot> seen;
  std::uint64_t far = 0;
  for (int i = 0; i < 4000; ++i) {
    const Slot slot = proposals.near(Slot(60), rng);
    ASSERT_TRUE(machine->allowed().contains(slot));
    seen.insert(slot);
    if (machine->as_network()->network().hops(30, slot.value / 2) > 2) ++far;
  }
  for (const std::uint32_t node : {30 - 12, 30 + 12, 33, 39, 31, 32}) {
    EXPECT_TRUE(seen.contains(Slot(2 * node)) && seen.contains(Slot(2 * node + 1))) << node;
  }
  EXPECT_EQ(far, 0U);
}

}  // namespace
}  // namespace kith
