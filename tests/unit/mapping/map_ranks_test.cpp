#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kith/detail/generate.hpp"
#include "kith/detail/lower_bound.hpp"
#include "kith/error.hpp"
#include "kith/mapper.hpp"
#include "unit/objective/random_problem.hpp"

namespace kith {
namespace {

using ::testing::HasSubstr;

MapResult map(const char* algorithm, const TrafficGraph& graph, const Machine& machine,
              MapOptions options = {}) {
  options.loads.assign(graph.ranks(), 1);  // for those that go by them
  return map_ranks(find_algorithm(algorithm), {graph, machine, options});
}

// The objective at its best over all mappings of at most seven ranks.
std::uint64_t best_of_all(const TrafficGraph& graph, const Machine& machine, Objective objective) {
  std::vector<Slot> slots = machine.allowed().to_vector();
  std::uint64_t best = std::numeric_limits<std::uint64_t>::max();
  do {
    Mapping mapping{{slots.begin(), slots.begin() + graph.ranks()}};
    best = std::min(best, evaluate_objective(graph, machine, mapping, objective));
  } while (std::ranges::next_permutation(slots).found);
  return best;
}

// No answer is below the true optimum, `auto` is never above identity, and refinement never hurts.
TEST(MapRanks, AnswersAreBetweenTheOptimumAndTheTruth) {
  std::mt19937_64 random(51);
  int optimal = 0;
  int problems = 0;
  for (int round = 0; round < 40; ++round) {
    const auto tree = testing::random_symmetric_tree(random, 7);
    const auto ranks = static_cast<std::uint32_t>(1 + random() % tree->slots());
    const auto graph = TrafficGraph::from(testing::random_matrix(random, ranks, 0.5, 20));
    MapOptions options;
    options.objective = default_objective(*tree);
    const auto value = [&](const char* algorithm) {
      return evaluate_objective(graph, *tree, map(algorithm, graph, *tree, options).mapping,
                                options.objective);
    };
    const auto best = best_of_all(graph, *tree, options.objective);
    const auto identity = value("identity");
    for (const char* name : {"random", "eagermap", "scotch"}) {
      const auto plain = value(name);
      const auto refined = value((std::string(name) + "+refine").c_str());
      ASSERT_LE(best, refined);
      ASSERT_LE(refined, plain);
    }
    const auto chosen = value("auto");
    ASSERT_LE(best, chosen);
    ASSERT_LE(chosen, identity);
    ++problems;
    if (chosen == best) ++optimal;
  }
  EXPECT_GE(optimal, problems * 3 / 4);
}

TEST(MapRanks, SaysWhoMadeTheMapping) {
  const auto graph = TrafficGraph::from(to_matrix(*make_stencil({8, 8}, 5, false, {1})));
  const auto machine = parse_machine("tree:4x4x4");
  EXPECT_EQ(map("eagermap", graph, *machine).algorithm, "eagermap");
  EXPECT_EQ(map("eagermap+refine", graph, *machine).algorithm, "eagermap+refine");
  const MapResult chosen = map("auto", graph, *machine);
  EXPECT_NE(chosen.algorithm, "auto");
  EXPECT_NO_THROW(find_algorithm(chosen.algorithm));
  EXPECT_EQ(chosen.stopped, Stopped::done);
  EXPECT_GE(chosen.seconds, 0);
}

TEST(MapRanks, RefusesMoreRanksThanSlots) {
  const auto graph = TrafficGraph::from(to_matrix(*make_alltoall(5, 1)));
  for (const Mapper* mapper : mappers()) {
    try {
      map(std::string(mapper->name()).c_str(), graph, *parse_machine("tree:2x2"));
      FAIL() << mapper->name();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      EXPECT_THAT(error.what(), HasSubstr("oversubscribing spreads"));
    }
    MapOptions two;
    two.capacity = 2;
    two.coordinates = RankCoordinates::grid(std::vector<std::uint32_t>{5});
    EXPECT_NO_THROW(
        map(std::string(mapper->name()).c_str(), graph, *parse_machine("tree:2x2"), two));
  }
}

// 10 ranks on 4 slots, say: 2 or 3 on each, whatever the algorithm would gain by packing them.
TEST(MapRanks, SpreadsEvenlyWhereAsked) {
  std::mt19937_64 random(53);
  for (int round = 0; round < 100; ++round) {
    const auto tree = round % 2 == 0 ? testing::random_symmetric_tree(random, 30)
                                     : testing::random_unequal_tree(random);
    if (tree->slots() < 2) continue;
    const testing::PlainMachine plain(*tree);
    const auto ranks = tree->slots() + static_cast<std::uint32_t>(random() % (2 * tree->slots()));
    const auto graph = TrafficGraph::from(testing::random_matrix(random, ranks, 0.1, 50));
    MapOptions options;
    options.least = ranks / tree->slots();
    options.capacity = (ranks + tree->slots() - 1) / tree->slots();
    if (round % 3 == 0) options.fixed = {{Rank(ranks - 1), Slot(0)}, {Rank(0), Slot(1)}};
    for (const char* name : {"identity", "random", "scotch", "auto"}) {
      const bool any = std::string_view(name) != "scotch";
      const Machine& machine = any && round % 4 == 3 ? static_cast<const Machine&>(plain) : *tree;
      const std::string refined = std::string(name) + "+refine";
      const Mapping mapping = map(refined.c_str(), graph, machine, options).mapping;
      std::vector<std::uint32_t> count(tree->slots());
      for (const Slot slot : mapping.slot_of) ++count[slot.value];
      ASSERT_GE(std::ranges::min(count), options.least) << name;
      for (const FixedRank& fixed : options.fixed) ASSERT_EQ(mapping[fixed.rank], fixed.slot);
    }
  }
}

// 805 million slots: nothing may be listed slot by slot. Who needs such a list has to say so.
TEST(MapRanks, FewRanksOnAHugeMachineAreQuick) {
  const auto graph = TrafficGraph::from(to_matrix(*make_stencil({4, 4, 4}, 7, false, {1})));
  const auto machine = parse_machine("tree:4096x3x65536");
  MapOptions options;
  options.fixed = {{Rank(5), Slot(700'000'000)}};
  std::size_t answered = 0;
  for (const Mapper* mapper : mappers()) {
    const std::string name = std::string(mapper->name()) + "+refine";
    try {
      EXPECT_EQ(map(name.c_str(), graph, *machine, options).mapping[Rank(5)], Slot(700'000'000));
      ++answered;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input) << name << ": " << error.what();
      EXPECT_THAT(error.what(), HasSubstr(std::string(mapper->name())));
    }
  }
  EXPECT_GE(answered, 5U);
  EXPECT_TRUE(objective_lower_bound(graph, *machine, Objective::hop_bytes, 1));
}

TEST(MapRanks, SaysWhereTheTimeWasUp) {
  const auto tree = TreeMachine::symmetric({4, 4, 4}, {}, 1, "tree:4x4x4");
  const auto graph = TrafficGraph::from(to_matrix(*make_stencil({4, 4, 4}, 7, false, {1})));
  MapOptions options;
  options.time_limit = 1e-9;
  for (const char* name : {"eagermap", "scotch", "identity+refine", "auto"}) {
    EXPECT_EQ(map(name, graph, *tree, options).stopped, Stopped::time) << name;
  }
  options.time_limit = 1000;
  EXPECT_EQ(map("scotch", graph, *tree, options).stopped, Stopped::done);
}

TEST(MapRanks, AcceptsNoRanksAtAll) {
  TrafficMatrixBuilder builder(0);
  const auto graph = TrafficGraph::from(builder.build());
  for (const Mapper* mapper : mappers()) {
    const std::string name = std::string(mapper->name()) + "+refine";
    EXPECT_EQ(map(name.c_str(), graph, *parse_machine("tree:2x2")).mapping.ranks(), 0U) << name;
  }
}

TEST(MapRanks, RefusesTrafficThatDoesNotAddUp) {
  TrafficMatrixBuilder builder(4);
  builder.add(Rank(0), Rank(1), std::numeric_limits<Weight>::max());
  builder.add(Rank(2), Rank(3), std::numeric_limits<Weight>::max());
  const auto graph = TrafficGraph::from(builder.build());
  EXPECT_THROW(map("eagermap", graph, *parse_machine("tree:2x2")), Error);
}

TEST(CheckMapping, NamesTheCulprit) {
  const auto machine = parse_machine("tree:4;slots=0-2");
  EXPECT_NO_THROW(check_mapping({{Slot(2), Slot(0)}}, *machine, 1));
  EXPECT_NO_THROW(check_mapping({{Slot(2), Slot(2)}}, *machine, 2));
  const auto complaint = [&](Mapping mapping, std::uint32_t capacity) {
    try {
      check_mapping(mapping, *machine, capacity);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::internal);
      return std::string(error.what());
    }
    return std::string("fine");
  };
  EXPECT_THAT(complaint({{Slot(0), Slot(3)}}, 1), HasSubstr("rank 1 is on no allowed slot (3)"));
  EXPECT_THAT(complaint({{no_slot}}, 1), HasSubstr("rank 0"));
  EXPECT_THAT(complaint({{Slot(1), Slot(0), Slot(1)}}, 1), HasSubstr("on slot 1"));
  EXPECT_THAT(complaint({{Slot(1), Slot(1), Slot(1)}}, 2), HasSubstr("more than 2 ranks"));
}

}  // namespace
}  // namespace kith
