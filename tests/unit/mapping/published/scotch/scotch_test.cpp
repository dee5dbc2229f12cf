#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "kith/detail/generate.hpp"
#include "kith/error.hpp"
#include "kith/mapper.hpp"
#include "mapping/element_graph.hpp"
#include "unit/objective/random_problem.hpp"

namespace kith {
namespace {

using ::testing::HasSubstr;

Mapping scotch(const TrafficGraph& graph, const Machine& machine, std::uint32_t capacity = 1,
               std::uint64_t seed = 1) {
  MapOptions options;
  options.objective = default_objective(machine);
  options.capacity = capacity;
  options.seed = seed;
  // map_ranks() checks that no slot has more than `capacity`.
  return map_ranks(find_algorithm("scotch"), {graph, machine, options}).mapping;
}

double ratio_to_identity(const TrafficGraph& graph, const Machine& machine,
                         const Mapping& mapping) {
  const Objective objective = default_objective(machine);
  return static_cast<double>(evaluate_objective(graph, machine, mapping, objective)) /
         static_cast<double>(evaluate_objective(
             graph, machine, identity_mapping(graph.ranks(), machine, 1), objective));
}

void expect_one_rank_per_slot(const Mapping& mapping) {
  const std::set<Slot> slots(mapping.slot_of.begin(), mapping.slot_of.end());
  EXPECT_EQ(slots.size(), mapping.slot_of.size());
}

TEST(Scotch, ReachesTheTilingOfGrids) {
  const auto flat = TrafficGraph::from(to_matrix(*make_stencil({32, 32}, 5, false, {1})));
  const auto machine = parse_machine("tree:64x2x8@100,10,1");
  const Mapping mapping = scotch(flat, *machine);
  expect_one_rank_per_slot(mapping);
  EXPECT_LT(ratio_to_identity(flat, *machine, mapping), 0.48);  // the optimum is 0.4680

  const auto cube =
      TrafficGraph::from(to_matrix(*make_permuted(make_stencil({16, 16, 16}, 7, false, {1}), 1)));
  const auto large = parse_machine("tree:64x4x16@100,10,1");
  const Mapping cubes = scotch(cube, *large);
  expect_one_rank_per_slot(cubes);
  EXPECT_LT(ratio_to_identity(cube, *large, cubes), 0.24);  // the optimum is 0.2276
}

// Where Scotch's own default leaves ranks doubled up.
TEST(Scotch, IsExactOnSixteenThousandRanks) {
  const auto graph =
      TrafficGraph::from(to_matrix(*make_permuted(make_stencil({128, 128}, 5, false, {1}), 1)));
  const auto machine = parse_machine("tree:16x16x4x16@1000,100,10,1");
  const Mapping mapping = scotch(graph, *machine);
  expect_one_rank_per_slot(mapping);
  EXPECT_LT(ratio_to_identity(graph, *machine, mapping), 0.045);
}

TEST(Scotch, RespectsSubsetsUnequalTreesAndCapacity) {
  std::mt19937_64 random(23);
  for (int round = 0; round < 150; ++round) {
    const auto tree = round % 2 == 0 ? testing::random_symmetric_tree(random, 60)
                                     : testing::random_unequal_tree(random);
    std::vector<Slot> kept;
    for (std::uint32_t s = 0; s < tree->slots(); ++s) {
      if (round % 3 == 0 || random() % 3 > 0 || s == 0) kept.emplace_back(s);
    }
    const auto machine = tree->restricted_to(SlotSet::of(kept));
    const auto capacity = static_cast<std::uint32_t>(1 + random() % 3);
    const auto ranks = static_cast<std::uint32_t>(1 + random() % (capacity * kept.size()));
    const auto graph = TrafficGraph::from(testing::random_matrix(random, ranks, 0.1, 100));
    const Mapping mapping = scotch(graph, *machine, capacity);
    EXPECT_EQ(mapping.ranks(), ranks);
    EXPECT_EQ(scotch(graph, *machine, capacity), mapping);
  }
}

TEST(Scotch, KeepsTalkersTogetherWithFewRanksOnManySlots) {
  // Two rings of six on 20 hosts of 6: each ring fits a host.
  TrafficMatrixBuilder builder(12);
  for (std::uint32_t i = 0; i < 12; ++i) builder.add(Rank(i), Rank((i + 2) % 12), 100);
  const auto graph = TrafficGraph::from(builder.build());
  const auto machine = parse_machine("tree:20x6");
  const Mapping mapping = scotch(graph, *machine);
  expect_one_rank_per_slot(mapping);
  EXPECT_EQ(evaluate_objective(graph, *machine, mapping, Objective::hop_bytes), 12U * 100 * 2);
}

TEST(Scotch, AcceptsWeightsNear64Bits) {
  TrafficMatrixBuilder builder(8);
  const Weight large = Weight{1} << 58;
  for (std::uint32_t i = 0; i < 4; ++i) builder.add(Rank(i), Rank(i + 4), large);
  for (std::uint32_t i = 0; i < 8; ++i) builder.add(Rank(i), Rank((i + 1) % 8), 1);
  const auto graph = TrafficGraph::from(builder.build());
  const auto machine = parse_machine("tree:4x2");
  const Mapping mapping = scotch(graph, *machine);
  for (std::uint32_t i = 0; i < 4; ++i) {
    EXPECT_EQ(mapping[Rank(i)].value / 2, mapping[Rank(i + 4)].value / 2);
  }
}

TEST(Scotch, AcceptsStrangeMachinesAndSilence) {
  TrafficMatrixBuilder silent(16);
  const auto graph = TrafficGraph::from(silent.build());
  for (const char* spec : {"tree:16", "tree:1x16x1", "tree:2x8@1,5", "tree:2x8@0,0", "tree:4x4@3,3",
                           "tree:2x8@9000000000000000000,1", "tree:17;slots=0-7,9-16"}) {
    expect_one_rank_per_slot(scotch(graph, *parse_machine(spec)));
  }
  EXPECT_EQ(scotch(graph, *parse_machine("tree:3x1;slots=2"), 16)[Rank(15)], Slot(2));
}

TEST(Scotch, AnswersTheSameForTheSameSeed) {
  const auto graph = TrafficGraph::from(to_matrix(*make_geometric(500, 4)));
  const auto machine = parse_machine("tree:8x64");
  EXPECT_EQ(scotch(graph, *machine, 1, 7), scotch(graph, *machine, 1, 7));
}

TEST(Scotch, WritesNothing) {
  ::testing::internal::CaptureStderr();
  ::testing::internal::CaptureStdout();
  const auto graph = TrafficGraph::from(to_matrix(*make_rmat(8, 2000, 4)));
  scotch(graph, *parse_machine("tree:8x4x8"));
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
}

MapOptions with_strategy(std::string strategy) {
  MapOptions options;
  options.settings.push_back({"strategy", std::move(strategy)});
  return options;
}

// Each kind of machine, whole and in part, with room to spare, none, and too little for one rank
// per slot.
TEST(Scotch, MapsOntoEveryKindOfMachine) {
  std::mt19937_64 random(31);
  for (const char* spec : {"torus:6x5",
                           "torus:3x4x5",
                           "torus:9",
                           "torus:2x3x2x3x2",
                           "torus:2x2x2x2x2x2",
                           "mesh:7x5",
                           "mesh:4x3x4",
                           "mesh:30",
                           "mesh:3x2x3x2",
                           "hypercube:5",
                           "dragonfly:5,2,3",
                           "torus:3x3/2x2",
                           "dragonfly:3,2,2/3",
                           "mesh:2x2x2x2/2",
                           "torus:1x1/4",
                           "torus:5x1",
                           "torus:6x6;slots=1-9,20-30",
                           "mesh:4x4x4;slots=3-50",
                           "hypercube:6;slots=5,7-40,63",
                           "dragonfly:5,2,3;slots=4-29",
                           "torus:3x3/2x2;slots=1-13,20-33",
                           "torus:4x4;slots=7",
                           "torus:40x40x40",
                           "mesh:60x60/2x4",
                           "dragonfly:40,20,8"}) {
    const auto machine = parse_machine(spec);
    const auto slots =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(machine->allowed().size(), 60));
    for (const std::uint32_t ranks : {1U, slots / 2 + 1, slots}) {
      const auto graph = TrafficGraph::from(testing::random_matrix(random, ranks, 0.15, 100));
      const Mapping mapping = scotch(graph, *machine);
      expect_one_rank_per_slot(mapping);
      EXPECT_EQ(mapping.ranks(), ranks) << spec;
      EXPECT_EQ(scotch(graph, *machine), mapping) << spec;
    }
    if (machine->allowed().size() > slots) continue;
    const auto crowd = TrafficGraph::from(testing::random_matrix(random, 2 * slots + 1, 0.1, 9));
    EXPECT_EQ(scotch(crowd, *machine, 3).ranks(), 2 * slots + 1) << spec;
  }
}

// A machine that says nothing of itself but its distances.
TEST(Scotch, MapsByDistancesAlone) {
  const auto tree = TreeMachine::symmetric({4, 6}, {100, 1}, 1, "tree:4x6@100,1");
  const auto graph =
      TrafficGraph::from(to_matrix(*make_permuted(make_stencil({4, 6}, 5, false, {1}), 1)));
  const testing::PlainMachine machine(*tree);
  const Mapping mapping = scotch(graph, machine);
  expect_one_rank_per_slot(mapping);
  EXPECT_LT(ratio_to_identity(graph, machine, mapping), 0.65);
}

TEST(Scotch, KnowsItsMachines) {
  // What fits perfectly is found, whatever the numbering of ranks.
  for (const char* spec : {"torus:8x8", "mesh:4x4x4", "hypercube:6"}) {
    const auto machine = parse_machine(spec);
    TrafficMatrixBuilder builder(64);
    for (std::uint32_t a = 0; a < 64; ++a) {
      for (std::uint32_t b = 0; b < a; ++b) {
        if (machine->hops(Slot(a), Slot(b)) == 1)
          builder.add(Rank(a * 37 % 64), Rank(b * 37 % 64), 9);
      }
    }
    const auto graph = TrafficGraph::from(builder.build());
    EXPECT_LT(ratio_to_identity(graph, *machine, scotch(graph, *machine)), 0.5) << spec;
  }
  // Each group of talkers on a node.
  const auto machine = parse_machine("torus:4x4/4");
  TrafficMatrixBuilder builder(64);
  for (std::uint32_t i = 0; i < 64; ++i) builder.add(Rank(i), Rank((i + 16) % 64), 100);
  const auto rings = TrafficGraph::from(builder.build());
  EXPECT_EQ(evaluate_objective(rings, *machine, scotch(rings, *machine), Objective::hop_bytes),
            64U * 100 * 2);
}

TEST(Scotch, TakesAStrategy) {
  const auto graph = TrafficGraph::from(to_matrix(*make_geometric(64, 4)));
  for (const char* spec : {"torus:8x8", "tree:8x8"}) {
    const auto machine = parse_machine(spec);
    std::set<std::vector<Slot>> answers;
    for (const char* strategy : {"usual", "bipartition", "quality", "speed", "balance", "safety",
                                 "r{job=t,map=t,poli=S,sep=h{pass=10}}"}) {
      const MapOptions options = with_strategy(strategy);
      answers.insert(
          map_ranks(find_algorithm("scotch"), {graph, *machine, options}).mapping.slot_of);
    }
    EXPECT_GT(answers.size(), 2U);
    const MapOptions wrong = with_strategy("r{no such thing");
    try {
      map_ranks(find_algorithm("scotch"), {graph, *machine, wrong});
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      EXPECT_THAT(error.what(), HasSubstr("set strategy"));
      EXPECT_THAT(error.what(), HasSubstr("r{no such thing"));
      EXPECT_THAT(error.what(), HasSubstr("error in mapping strategy"));  // Scotch's own words
    }
  }
}

// Scotch takes minutes for them.
TEST(Scotch, KeepsTheTimeLimit) {
  const auto graph = TrafficGraph::from(to_matrix(*make_stencil({64, 64, 32}, 7, false, {1})));
  for (const char* spec : {"torus:64x64x32", "tree:64x2x32x32"}) {
    const auto machine = parse_machine(spec);
    for (const char* algorithm : {"scotch", "treematch"}) {
      MapOptions options;
      options.objective = default_objective(*machine);
      options.time_limit = 0.2;
      const MapResult result = map_ranks(find_algorithm(algorithm), {graph, *machine, options});
      EXPECT_EQ(result.stopped, Stopped::time) << algorithm << " " << spec;
      EXPECT_LT(result.seconds, 20) << algorithm << " " << spec;
      expect_one_rank_per_slot(result.mapping);
    }
  }
}

TEST(Scotch, IsTheIdentityWhenTheTimeIsUpAtOnce) {
  const auto graph = TrafficGraph::from(to_matrix(*make_stencil({8, 8}, 5, false, {1})));
  const auto machine = parse_machine("torus:8x8");
  MapOptions options;
  options.time_limit = 0;
  EXPECT_EQ(map_ranks(find_algorithm("scotch"), {graph, *machine, options}).mapping,
            identity_mapping(64, *machine, 1));
}

TEST(Scotch, ReturnsTheBestSoFarWhenTheTimeIsUp) {
  const auto graph = TrafficGraph::from(to_matrix(*make_geometric(64, 4)));
  const auto machine = parse_machine("torus:8x8");
  MapOptions options;
  options.settings = {{"tries", "1000"}};  // many seconds; the first is there after milliseconds
  options.time_limit = 1;
  const MapResult result = map_ranks(find_algorithm("scotch"), {graph, *machine, options});
  EXPECT_EQ(result.stopped, Stopped::time);
  EXPECT_LT(ratio_to_identity(graph, *machine, result.mapping), 1);
}

TEST(Scotch, RefusesTablesThatFillTheMemory) {
  const auto machine = parse_machine("dragonfly:40,20,8");  // 6400 nodes
  const auto graph = TrafficGraph::from(to_matrix(*make_stencil({80, 80}, 5, false, {1})));
  try {
    scotch(graph, *machine);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_THAT(error.what(), HasSubstr("at most 4096 nodes"));
  }
}

TEST(Scotch, DropsLightPairsWhereAsked) {
  // Heavy pairs (i, i + 4), light ones that would pull another way.
  TrafficMatrixBuilder builder(8);
  for (std::uint32_t i = 0; i < 4; ++i) builder.add(Rank(i), Rank(i + 4), 100);
  for (std::uint32_t i = 0; i < 8; ++i) {
    for (std::uint32_t j = 0; j < i; ++j) {
      if (i != j + 4) builder.add(Rank(i), Rank(j), 50);
    }
  }
  const auto graph = TrafficGraph::from(builder.build());
  const auto machine = parse_machine("tree:4x2");
  MapOptions options;
  options.sparse_factor = 0.5;  // 50 is not above
  const Mapping mapping = map_ranks(find_algorithm("scotch"), {graph, *machine, options}).mapping;
  EXPECT_EQ(scotch(sparsified(graph, 0.5), *machine), mapping);
  EXPECT_EQ(sparsified(graph, 0.5).edges(), 4U);
  EXPECT_EQ(sparsified(graph, 0.49).edges(), 28U);
  EXPECT_EQ(sparsified(graph, 1).edges(), 0U);
  EXPECT_EQ(sparsified(TrafficGraph(), 0).ranks(), 0U);
}

}  // namespace
}  // namespace kith
