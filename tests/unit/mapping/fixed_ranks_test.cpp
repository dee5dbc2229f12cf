#include "mapping/constraints.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kith/detail/generate.hpp"
#include "kith/error.hpp"
#include "unit/objective/random_problem.hpp"

namespace kith {
namespace {

using ::testing::HasSubstr;

TEST(FixedRanks, OneRankCostsNothingOnASymmetricTree) {
  std::mt19937_64 random(41);
  for (int round = 0; round < 200; ++round) {
    const auto tree = testing::random_symmetric_tree(random, 64);
    const auto graph = TrafficGraph::from(testing::random_matrix(random, tree->slots(), 0.2, 100));
    const Mapping before = testing::random_mapping(random, tree->slots(), *tree, 1);
    MapOptions options;
    options.fixed = {{Rank(static_cast<std::uint32_t>(random() % tree->slots())),
                      Slot(static_cast<std::uint32_t>(random() % tree->slots()))}};
    const Mapping after = place_fixed_ranks({graph, *tree, options}, before);
    ASSERT_EQ(after[options.fixed[0].rank], options.fixed[0].slot);
    ASSERT_NO_THROW(check_mapping(after, *tree, 1));
    for (const Objective objective : {Objective::hop_bytes, Objective::sum_com}) {
      ASSERT_EQ(evaluate_objective(graph, *tree, after, objective),
                evaluate_objective(graph, *tree, before, objective));
    }
  }
}

TEST(FixedRanks, AllAreHonouredAnywhere) {
  std::mt19937_64 random(42);
  for (int round = 0; round < 300; ++round) {
    const auto tree = round % 2 == 0 ? testing::random_symmetric_tree(random, 60)
                                     : testing::random_unequal_tree(random);
    const testing::PlainMachine plain(*tree);
    const Machine& any = round % 4 < 2 ? static_cast<const Machine&>(*tree) : plain;
    std::vector<Slot> kept;
    for (std::uint32_t s = 0; s < tree->slots(); ++s) {
      if (round % 3 == 0 || random() % 3 > 0 || s == 0) kept.emplace_back(s);
    }
    const auto machine = any.restricted_to(SlotSet::of(kept));
    MapOptions options;
    options.capacity = static_cast<std::uint32_t>(1 + random() % 3);
    const auto ranks = static_cast<std::uint32_t>(1 + random() % (options.capacity * kept.size()));
    const auto graph = TrafficGraph::from(testing::random_matrix(random, ranks, 0.15, 100));
    const Mapping start = testing::random_mapping(random, ranks, *machine, options.capacity);
    // Another valid mapping says where some are to be.
    const Mapping wanted = testing::random_mapping(random, ranks, *machine, options.capacity);
    for (std::uint32_t r = 0; r < ranks; ++r) {
      if (random() % 2 == 0) options.fixed.push_back({Rank(r), wanted[Rank(r)]});
    }
    std::shuffle(options.fixed.begin(), options.fixed.end(), random);
    const MapProblem problem{graph, *machine, options};
    ASSERT_NO_THROW(check_fixed_ranks(problem));
    const Mapping after = place_fixed_ranks(problem, start);
    ASSERT_NO_THROW(check_mapping(after, *machine, options.capacity));
    for (const FixedRank& fixed : options.fixed) ASSERT_EQ(after[fixed.rank], fixed.slot);
    // Placed once, nothing is left to do.
    ASSERT_EQ(place_fixed_ranks(problem, after), after);
  }
}

// Hosts of 1 + 3 and of 3 + 1 slots: as many, but not alike. Only the two ranks change places.
TEST(FixedRanks, SubtreesOfUnequalShapeStay) {
  const auto graph = TrafficGraph::from(to_matrix(*make_alltoall(8, 1)));
  for (const auto& packages : {std::vector<std::uint32_t>{1, 3, 3, 1}, {3, 1, 1, 3}}) {
    TreeDescription description;
    description.children = {{2}, {2, 2}, packages};
    description.names = {"network", "host", "package"};
    const auto tree = TreeMachine::from(description);
    MapOptions options;
    options.fixed = {{Rank(0), Slot(5)}};
    Mapping expected = identity_mapping(8, *tree, 1);
    const Mapping after = place_fixed_ranks({graph, *tree, options}, expected);
    std::swap(expected.slot_of[0], expected.slot_of[5]);
    EXPECT_EQ(after, expected);
  }
}

TEST(FixedRanks, ManyAreQuick) {
  const auto machine = parse_machine("tree:64x32x32");
  const std::uint32_t ranks = machine->slots();
  TrafficMatrixBuilder builder(ranks);
  const auto graph = TrafficGraph::from(builder.build());
  std::mt19937_64 random(43);
  const Mapping wanted = testing::random_mapping(random, ranks, *machine, 1);
  MapOptions options;
  for (std::uint32_t r = 0; r < ranks; ++r) options.fixed.push_back({Rank(r), wanted[Rank(r)]});
  const MapProblem problem{graph, *machine, options};
  check_fixed_ranks(problem);
  EXPECT_EQ(place_fixed_ranks(problem, identity_mapping(ranks, *machine, 1)), wanted);
}

std::string refusal(std::vector<FixedRank> fixed, std::uint32_t capacity) {
  const auto machine = parse_machine("tree:4x2;slots=0-5");
  const auto graph = TrafficGraph::from(to_matrix(*make_alltoall(6, 1)));
  MapOptions options;
  options.fixed = std::move(fixed);
  options.capacity = capacity;
  try {
    map_ranks(find_algorithm("identity"), {graph, *machine, options});
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.what();
  }
  return "accepted";
}

TEST(FixedRanks, RefusesContradictions) {
  EXPECT_THAT(refusal({{Rank(6), Slot(0)}}, 1),
              HasSubstr("fix: expected a rank below 6, found 6=0"));
  EXPECT_THAT(refusal({{Rank(0), Slot(6)}}, 1), HasSubstr("0=6"));
  EXPECT_THAT(refusal({{Rank(0), Slot(8)}}, 1), HasSubstr("0=8"));
  EXPECT_THAT(refusal({{Rank(0), Slot(1)}, {Rank(0), Slot(2)}}, 1), HasSubstr("0=1 and 0=2"));
  EXPECT_THAT(refusal({{Rank(0), Slot(1)}, {Rank(1), Slot(1)}}, 1), HasSubstr("at most 1 ranks"));
  EXPECT_EQ(refusal({{Rank(0), Slot(1)}, {Rank(1), Slot(1)}}, 2), "accepted");
  EXPECT_EQ(refusal({{Rank(0), Slot(1)}, {Rank(0), Slot(1)}}, 1), "accepted");
}

}  // namespace
}  // namespace kith
