#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "kith/detail/generate.hpp"
#include "kith/error.hpp"
#include "kith/io.hpp"
#include "kith/mapper.hpp"
#include "mapping/published/choicemap/mutual_choice.hpp"
#include "unit/corpus.hpp"
#include "unit/mapping/published/paper_choicemap.hpp"
#include "unit/objective/random_problem.hpp"

namespace kith {
namespace {

using ::testing::ElementsAre;

Mapping choicemap(const TrafficMatrix& matrix, const Machine& machine, const char* first = "lowest",
                  std::uint32_t capacity = 1) {
  const auto graph = TrafficGraph::from(matrix);
  MapOptions options;
  options.capacity = capacity;
  options.settings = {{"first-choice", first}};
  return map_ranks(find_algorithm("choicemap"), {graph, machine, options}).mapping;
}

testing::paper::CommMatrix dense(const TrafficMatrix& matrix) {
  testing::paper::CommMatrix out(matrix.ranks(), std::vector<std::int64_t>(matrix.ranks()));
  for (std::uint32_t i = 0; i < matrix.ranks(); ++i) {
    for (std::uint32_t j = 0; j < matrix.ranks(); ++j) {
      if (i == j) continue;
      out[i][j] =
          static_cast<std::int64_t>(matrix.at(Rank(i), Rank(j)) + matrix.at(Rank(j), Rank(i)));
    }
  }
  return out;
}

/// The rank at each leaf.
std::vector<int> ranks_at_leaves(const Mapping& mapping) {
  std::vector<int> ranks(mapping.ranks());
  for (std::uint32_t r = 0; r < mapping.ranks(); ++r) {
    ranks[mapping[Rank(r)].value] = static_cast<int>(r);
  }
  return ranks;
}

TrafficMatrix thesis_example() {
  return read_matrix(corpus() / "cases/choicemap-thesis-8.mtx");
}

std::vector<ChosenPair> pairs_of(const TrafficMatrix& matrix, FirstChoice first) {
  WantedPairs wanted(1);
  for (std::uint32_t pair = 0; pair < matrix.ranks() / 2; ++pair) wanted.add(0, 0);
  const ElementGraph elements = elements_of(TrafficGraph::from(matrix));
  return pair_by_choice(elements, std::vector<std::uint32_t>(matrix.ranks()), wanted, first);
}

// Figures 4.3 to 4.5.
TEST(ChoiceMap, FindsThePairsOfTheThesisPassByPass) {
  const TrafficMatrix matrix = thesis_example();
  EXPECT_THAT(pairs_of(matrix, FirstChoice::lowest),
              ElementsAre(ChosenPair{3, 5, 1}, ChosenPair{1, 4, 1}, ChosenPair{2, 7, 2},
                          ChosenPair{0, 6, 2}));
  const auto leaves = ranks_at_leaves(choicemap(matrix, *parse_machine("tree:2x2x2")));
  const auto expected = testing::paper::choicemap(dense(matrix), false);
  EXPECT_EQ(leaves, expected);
}

// Small weights make ties everywhere, and with "next" cycles.
TEST(ChoiceMap, ChoosesAsTheThesisDoes) {
  std::mt19937_64 random(21);
  for (int round = 0; round < 500; ++round) {
    const std::uint32_t ranks = 2U << random() % 5;
    constexpr double densities[] = {0.02, 0.1, 0.5, 1.0};
    constexpr Weight weights[] = {1, 3, 1000};
    const auto matrix =
        testing::random_matrix(random, ranks, densities[random() % 4], weights[random() % 3]);
    const bool next = round % 2 == 1;
    const auto pairs = pairs_of(matrix, next ? FirstChoice::next : FirstChoice::lowest);
    const auto expected = testing::paper::pairs_of_level(dense(matrix), next);
    ASSERT_EQ(pairs.size(), expected.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      ASSERT_EQ(static_cast<int>(pairs[i].first), expected[i].first) << "round " << round;
      ASSERT_EQ(static_cast<int>(pairs[i].second), expected[i].second) << "round " << round;
      ASSERT_EQ(static_cast<int>(pairs[i].pass), expected[i].pass) << "round " << round;
    }
    // Arities 4 and 8 are levels of two as well.
    const auto machine = parse_machine(ranks == 32  ? "tree:4x8"
                                       : ranks == 8 ? "tree:2x4"
                                                    : "tree:" + std::to_string(ranks));
    ASSERT_EQ(ranks_at_leaves(choicemap(matrix, *machine, next ? "next" : "lowest")),
              testing::paper::choicemap(dense(matrix), next))
        << "round " << round;
  }
}

// Without traffic each wants the next one that is left: the lowest is left to the last, for whom it
// comes next, and so on.
TEST(ChoiceMap, SilentRanksWantTheNextOneToo) {
  const auto silent = TrafficMatrixBuilder(4).build();
  EXPECT_THAT(pairs_of(silent, FirstChoice::next),
              ElementsAre(ChosenPair{0, 3, 1}, ChosenPair{1, 2, 2}));
  EXPECT_THAT(ranks_at_leaves(choicemap(silent, *parse_machine("tree:2x2"), "next")),
              ElementsAre(0, 3, 1, 2));
  EXPECT_THAT(ranks_at_leaves(choicemap(silent, *parse_machine("tree:2x2"), "lowest")),
              ElementsAre(0, 1, 2, 3));
}

// Of unequal elements, too, cycles of silent ones must not cost a walk each.
TEST(ChoiceMap, ManySilentRanksAreQuick) {
  const auto silent = TrafficMatrixBuilder(100'000).build();
  for (const char* const spec : {"tree:100000", "tree:10000x31"}) {
    const Mapping mapping = choicemap(silent, *parse_machine(spec), "next");
    EXPECT_EQ(mapping.ranks(), 100'000U);
  }
}

// Figure 4.2's situation: everyone wants the next one in the ring.
TEST(ChoiceMap, BreaksCycles) {
  TrafficMatrixBuilder builder(6);
  for (std::uint32_t i = 0; i < 6; ++i) builder.add(Rank(i), Rank((i + 1) % 6), 7);
  const auto matrix = builder.build();
  // The lowest, 0, is paired with the only one that wants it; then 4 wants 3 back, whom
  // the pass has not looked at yet, and in the next pass 2 wants 1.
  EXPECT_THAT(pairs_of(matrix, FirstChoice::next),
              ElementsAre(ChosenPair{0, 5, 1}, ChosenPair{3, 4, 2}, ChosenPair{1, 2, 3}));
  EXPECT_THAT(pairs_of(matrix, FirstChoice::lowest),
              ElementsAre(ChosenPair{0, 1, 1}, ChosenPair{2, 3, 1}, ChosenPair{4, 5, 1}));
}

// Three children: a pair and one that waits for the second round.
TEST(ChoiceMap, MakesGroupsOfThree) {
  TrafficMatrixBuilder builder(6);
  builder.add(Rank(0), Rank(3), 9);
  builder.add(Rank(1), Rank(4), 8);
  builder.add(Rank(2), Rank(5), 7);  // wanted by both, but only two pairs fit
  builder.add(Rank(5), Rank(0), 2);
  builder.add(Rank(2), Rank(1), 1);
  EXPECT_THAT(ranks_at_leaves(choicemap(builder.build(), *parse_machine("tree:2x3"))),
              ElementsAre(0, 3, 5, 1, 4, 2));
}

TEST(ChoiceMap, PlanOfUnequalObjects) {
  // Nodes of 3 and 2 slots: the pairs of both are made in the first round.
  const auto machine = parse_machine("tree:2x3;slots=0-4");
  const MergePlan plan = merge_plan(SlotTree(*machine), 5);
  ASSERT_EQ(plan.rounds.size(), 3U);
  EXPECT_EQ(plan.slot_of_leaf.size(), 5U);
  ASSERT_EQ(plan.rounds[0].size(), 3U);
  EXPECT_EQ(plan.rounds[0][0].type, plan.rounds[0][2].type);
  EXPECT_EQ(plan.rounds[0][1].second, no_place);
  ASSERT_EQ(plan.rounds[1].size(), 2U);
  EXPECT_NE(plan.rounds[1][0].type, plan.rounds[1][1].type);
  EXPECT_EQ(plan.rounds[2].size(), 1U);
}

/// Every rank on an allowed slot, evenly: check_mapping() sees to the rest.
TEST(ChoiceMap, UsesUnequalAndRestrictedMachinesEvenly) {
  std::mt19937_64 random(22);
  for (int round = 0; round < 300; ++round) {
    const auto tree = testing::random_unequal_tree(random);
    const testing::PlainMachine plain(*tree);
    const Machine& machine = round % 5 == 0 ? static_cast<const Machine&>(plain) : *tree;
    const auto ranks = static_cast<std::uint32_t>(random() % (3 * tree->slots() + 1));
    const auto capacity = std::max(1U, (ranks + tree->slots() - 1) / tree->slots());
    const auto matrix = testing::random_matrix(random, ranks, 0.2, 5);
    const Mapping mapping =
        choicemap(matrix, machine, round % 2 == 0 ? "lowest" : "next", capacity);
    std::vector<std::uint32_t> count(tree->slots());
    for (const Slot slot : mapping.slot_of) ++count[slot.value];
    ASSERT_GE(std::ranges::min(count), ranks / tree->slots());
  }
}

// Pairs that talk only to each other end up side by side, whatever the shape of the tree.
TEST(ChoiceMap, KeepsPairsTogetherOnUnequalTrees) {
  const auto machine = parse_machine("tree:3x4;slots=0-3,4-5,8-9");
  TrafficMatrixBuilder builder(8);
  for (std::uint32_t i = 0; i < 4; ++i) builder.add(Rank(i), Rank(7 - i), 5);
  const Mapping mapping = choicemap(builder.build(), *machine);
  for (std::uint32_t i = 0; i < 4; ++i) {
    EXPECT_EQ(machine->hops(mapping[Rank(i)], mapping[Rank(7 - i)]), 2U) << i;
  }
}

TEST(ChoiceMap, FewRanksStayTogetherAndNetworksAreTreesOfNodes) {
  TrafficMatrixBuilder builder(3);
  builder.add(Rank(0), Rank(2), 5);
  EXPECT_THAT(choicemap(builder.build(), *parse_machine("tree:4x4")).slot_of,
              ElementsAre(Slot(0), Slot(2), Slot(1)));
  TrafficMatrixBuilder second(4);
  second.add(Rank(0), Rank(3), 5);
  EXPECT_THAT(choicemap(second.build(), *parse_machine("torus:2x2/2;slots=1-2,4-5")).slot_of,
              ElementsAre(Slot(4), Slot(1), Slot(2), Slot(5)));
}

TEST(ChoiceMap, MapsAHundredThousandRanks) {
  const auto matrix = to_matrix(*make_permuted(make_stencil({64, 64, 32}, 7, false, {1}), 4));
  const auto machine = parse_machine("tree:32x32x4x32");
  const Mapping mapping = choicemap(matrix, *machine);
  const auto graph = TrafficGraph::from(matrix);
  const auto identity = identity_mapping(graph.ranks(), *machine, 1);
  EXPECT_LT(evaluate_objective(graph, *machine, mapping, Objective::hop_bytes),
            evaluate_objective(graph, *machine, identity, Objective::hop_bytes) * 3 / 4);
}

// Passes in which only the last pair of a chain is mutual would make the paper's loop quadratic.
TEST(ChoiceMap, LongChainsAreQuick) {
  constexpr std::uint32_t ranks = 200'000;
  TrafficMatrixBuilder builder(ranks);
  for (std::uint32_t i = 0; i + 1 < ranks; ++i) builder.add(Rank(i), Rank(i + 1), i + 1);
  const auto pairs = pairs_of(builder.build(), FirstChoice::lowest);
  ASSERT_EQ(pairs.size(), ranks / 2);
  EXPECT_EQ(pairs.back(), (ChosenPair{0, 1, ranks / 2}));
}

}  // namespace
}  // namespace kith
