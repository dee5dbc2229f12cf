// Mapping from where the ranks are: MapOptions::from and move_cost.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "kith/detail/generate.hpp"
#include "kith/error.hpp"
#include "mapping/refine/refine.hpp"
#include "mapping/remap/remap.hpp"
#include "mapping/value.hpp"
#include "unit/objective/random_problem.hpp"

namespace kith {
namespace {

Mapping map_with(const char* algorithm, const MapProblem& problem) {
  return map_ranks(find_algorithm(algorithm), problem).mapping;
}

std::uint64_t objective_of(const MapProblem& problem, const Mapping& mapping) {
  return evaluate_objective(problem.graph, problem.machine, mapping, problem.options.objective);
}

TrafficGraph stencil(std::vector<std::uint32_t> extents) {
  const unsigned points = extents.size() == 3 ? 7 : 5;
  return TrafficGraph::from(to_matrix(*make_stencil(std::move(extents), points, false, {1})));
}

/// The lowest value of all mappings of at most 7 ranks to slots, one on each.
MappingValue optimum(const MapProblem& problem) {
  std::vector<Slot> slots = problem.machine.allowed().to_vector();
  MappingValue best{~Wide{0}, 0};
  do {
    Mapping mapping{{slots.begin(), slots.begin() + problem.graph.ranks()}};
    best = std::min(best, value_of(problem, mapping));
  } while (std::next_permutation(slots.begin(), slots.end()));
  return best;
}

TEST(From, IsNeverWorseThanStaying) {
  std::mt19937_64 random(1);
  const char* const specs[] = {"tree:4x3x4", "torus:4x4x3", "mesh:4x6/2", "dragonfly:4,3,4",
                               "tree:2x24@100,1"};
  for (int round = 0; round < 100; ++round) {
    const auto whole = parse_machine(specs[round % 5]);
    const auto machine = whole->restricted_to(SlotSet::parse("3-20,22-47", "--forbid"));
    const auto ranks = static_cast<std::uint32_t>(1 + random() % machine->allowed().size());
    const auto graph = TrafficGraph::from(testing::random_matrix(random, ranks, 0.1, 100));
    MapOptions options;
    options.effort = Effort::fast;
    options.objective = default_objective(*machine);
    options.from = testing::random_mapping(random, ranks, *whole, 1);
    options.move_cost = round % 3 == 0 ? 0 : random() % 1000;
    const MapProblem problem{graph, *machine, options};
    const Mapping mapping = map_with(round % 2 == 0 ? "kith" : "auto", problem);
    ASSERT_LE(value_of(problem, mapping), value_of(problem, stay(problem))) << "round " << round;
  }
}

TEST(From, NothingMovesThatIsTooDear) {
  const auto graph = stencil({16, 16});
  const auto machine = parse_machine("tree:16x16");
  std::mt19937_64 random(2);
  MapOptions options;
  options.from = testing::random_mapping(random, 256, *machine, 1);
  options.move_cost = std::numeric_limits<std::uint64_t>::max() / 2;
  for (const char* algorithm : {"kith", "auto"}) {
    EXPECT_EQ(map_with(algorithm, {graph, *machine, options}), *options.from) << algorithm;
  }
}

TEST(From, OfEqualMappingsTheOneThatMovesFewest) {
  // Each algorithm would bring the pairs together on hosts of its own choice.
  TrafficMatrixBuilder builder(16);
  for (std::uint32_t i = 0; i < 8; ++i) builder.add(Rank(i), Rank(i + 8), 10);
  const auto graph = TrafficGraph::from(builder.build());
  const auto machine = parse_machine("tree:8x2");
  MapOptions options;
  options.from = Mapping{};
  for (std::uint32_t i = 0; i < 16; ++i) options.from->slot_of.emplace_back(15 - i % 8 * 2 - i / 8);
  for (const char* algorithm : {"kith", "auto", "eagermap", "treematch", "scotch"}) {
    EXPECT_EQ(map_with(algorithm, {graph, *machine, options}), *options.from) << algorithm;
  }
}

TEST(From, ALostHostMovesItsRanksAndFewOthers) {
  // 64 hosts of 64; the spare one takes the place of host 10.
  const auto graph = stencil({16, 16, 16});
  const auto before = parse_machine("tree:64x64");
  MapOptions options;
  options.effort = Effort::fast;
  const Mapping old = map_with("kith", {graph, *before, options});
  const auto after = parse_machine("tree:65x64;slots=0-639,704-4159");
  const std::uint64_t scratch =
      objective_of({graph, *after, options}, map_with("kith", {graph, *after, options}));
  options.from = old;
  options.move_cost = 1;
  const MapProblem problem{graph, *after, options};
  const Mapping mapping = map_with("kith", problem);
  EXPECT_LE(moved_ranks(old, mapping), 64U);
  EXPECT_GE(moved_ranks(old, mapping), 64U);
  EXPECT_LE(objective_of(problem, mapping), scratch + scratch / 50);
}

TEST(From, ABoundEndsTheSearch) {
  // Lines of ranks on hosts, one of which is lost: none can be better than moving it as a whole.
  const auto graph = stencil({64, 1});
  const auto machine = parse_machine("tree:5x16;slots=0-15,32-79");
  MapOptions options;
  options.from.emplace();
  for (std::uint32_t r = 0; r < 64; ++r) options.from->slot_of.emplace_back(r);
  for (const std::uint64_t cost : {0, 7}) {
    options.move_cost = cost;
    const MapResult found = map_ranks(find_algorithm("kith"), {graph, *machine, options});
    EXPECT_EQ(moved_ranks(*options.from, found.mapping), 16U);
    EXPECT_TRUE(found.explanation.at(0).ends_with("no order can be better"))
        << found.explanation[0];
  }
}

TEST(From, NewTrafficMovesMoreTheLessItCosts) {
  const auto old_graph = stencil({16, 16});
  const auto graph =
      TrafficGraph::from(to_matrix(*make_permuted(make_stencil({16, 16}, 5, false, {1}), 3)));
  const auto machine = parse_machine("tree:16x16");
  MapOptions options;
  options.from = map_with("kith", {old_graph, *machine, options});
  std::uint64_t fewer = 257;
  std::vector<std::uint64_t> counts;
  for (const std::uint64_t cost : {0, 1, 2, 3, 4, 6, 8, 100}) {
    options.move_cost = cost;
    const std::uint64_t moved =
        moved_ranks(*options.from, map_with("kith", {graph, *machine, options}));
    EXPECT_LE(moved, fewer) << "at " << cost;
    fewer = moved;
    counts.push_back(moved);
  }
  EXPECT_GT(counts.front(), 200U);
  EXPECT_EQ(counts.back(), 0U);
}

TEST(From, FixedRanksStayFixed) {
  const auto graph = stencil({8, 8});
  const auto machine = parse_machine("tree:8x8");
  MapOptions options;
  options.from = identity_mapping(64, *machine, 1);
  options.fixed = {{Rank(0), Slot(63)}, {Rank(5), Slot(5)}};
  for (const std::uint64_t cost : {0, 5, 1000}) {
    options.move_cost = cost;
    for (const char* algorithm : {"kith", "auto", "eagermap", "random+refine"}) {
      const Mapping mapping = map_with(algorithm, {graph, *machine, options});
      EXPECT_EQ(mapping[Rank(0)], Slot(63)) << algorithm;
      EXPECT_EQ(mapping[Rank(5)], Slot(5)) << algorithm;
    }
  }
}

TEST(From, RepeatsItself) {
  std::mt19937_64 random(5);
  const auto graph = TrafficGraph::from(testing::random_matrix(random, 200, 0.03, 100));
  const auto machine = parse_machine("tree:5x5x10");
  MapOptions options;
  options.from = testing::random_mapping(random, 200, *machine, 1);
  options.move_cost = 50;
  const Mapping once = map_with("kith", {graph, *machine, options});
  options.threads = 2;
  EXPECT_EQ(map_with("kith", {graph, *machine, options}), once);
}

TEST(From, IsTheOptimumOfTinyProblems) {
  std::mt19937_64 random(6);
  const char* const specs[] = {"tree:2x3", "tree:7", "tree:3x2@9,2", "mesh:2x3", "torus:6"};
  for (int round = 0; round < 60; ++round) {
    const auto machine = parse_machine(specs[round % 5]);
    const auto ranks = static_cast<std::uint32_t>(machine->slots() - random() % 2);
    const auto graph = TrafficGraph::from(testing::random_matrix(random, ranks, 0.4, 100));
    MapOptions options;
    options.objective = default_objective(*machine);
    options.from = testing::random_mapping(random, ranks, *machine, 1);
    options.move_cost = random() % 200;
    const MapProblem problem{graph, *machine, options};
    const MapResult found = map_ranks(find_algorithm("kith"), problem);
    ASSERT_EQ(value_of(problem, found.mapping), optimum(problem)) << "round " << round;
    EXPECT_TRUE(found.is_optimal);
  }
}

TEST(From, SwapsAndMovesArePaidFor) {
  std::mt19937_64 random(9);
  for (const char* spec : {"tree:4x8", "torus:4x4/2"}) {
    const auto machine = parse_machine(spec);
    for (const std::uint32_t ranks : {32U, 20U}) {  // swaps only; moves to free slots, too
      const auto graph = TrafficGraph::from(testing::random_matrix(random, ranks, 0.2, 100));
      MapOptions options;
      options.from = testing::random_mapping(random, ranks, *machine, 1);
      const MapProblem problem{graph, *machine, options};
      EXPECT_NE(refine_by_swaps(problem, *options.from), *options.from);
      options.move_cost = 1'000'000;
      EXPECT_EQ(refine_by_swaps(problem, *options.from), *options.from) << spec;
    }
  }
}

TEST(From, RanksThatGainNothingGoHome) {
  const auto machine = parse_machine("tree:4x8");
  const auto graph = TrafficGraph::from(TrafficMatrixBuilder(20).build());
  std::mt19937_64 random(10);
  MapOptions options;
  options.from = testing::random_mapping(random, 20, *machine, 1);
  const Mapping mapping = testing::random_mapping(random, 20, *machine, 1);
  EXPECT_EQ(refine_by_swaps({graph, *machine, options}, mapping), *options.from);
}

TEST(From, NewRanksDoNotMove) {
  const Mapping from{{Slot(3), no_slot, Slot(1)}};
  EXPECT_EQ(moved_ranks(from, {{Slot(3), Slot(0), Slot(2)}}), 1U);
}

TEST(From, NeedsAPlaceForEachRank) {
  const auto graph = stencil({2, 2});
  const auto machine = parse_machine("tree:2x2");
  MapOptions options;
  options.from = identity_mapping(3, *machine, 1);
  EXPECT_THROW(map_with("kith", {graph, *machine, options}), Error);
}

}  // namespace
}  // namespace kith
