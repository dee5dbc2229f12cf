#include "kith/choice.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "kith/error.hpp"
#include "kith/generate.hpp"
#include "mapping/node_sets.hpp"
#include "unit/objective/random_problem.hpp"

namespace kith {
namespace {

TrafficGraph stencil(std::vector<std::uint32_t> extents) {
  return TrafficGraph::from(to_matrix(*make_stencil(std::move(extents), 7, false, {1})));
}

ChoiceResult choose(const TrafficGraph& graph, const Machine& machine, MapOptions options = {},
                    const char* algorithm = "auto") {
  return map_to_chosen_nodes(find_algorithm(algorithm), {graph, machine, options});
}

std::vector<std::uint32_t> numbers(const ChoiceResult& choice) {
  std::vector<std::uint32_t> nodes;
  for (const ChosenNode& chosen : choice.nodes) nodes.push_back(chosen.node);
  return nodes;
}

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(NodeSets, ListsTheNodesThatHaveRoom) {
  const auto machine = parse_machine("mesh:3x2/4;slots=1-5,16,23");
  const auto free = free_nodes(*machine);
  ASSERT_EQ(free.size(), 4U);
  const auto expect = [&](std::size_t i, std::uint32_t node, std::uint32_t first,
                          std::uint32_t slots) {
    EXPECT_EQ(free[i].node, node);
    EXPECT_EQ(free[i].first, Slot(first));
    EXPECT_EQ(free[i].slots, slots);
  };
  expect(0, 0, 1, 3);
  expect(1, 1, 4, 2);
  expect(2, 4, 16, 1);
  expect(3, 5, 23, 1);
}

// Four free corners of a mesh, a single node between two of them, a 2 x 2 block in the middle.
TEST(Choice, FindsTheBlockInTheMiddle) {
  const auto machine = parse_machine("mesh:8x8;slots=0,4,7,27-28,35-36,56,63");
  const auto choice = choose(stencil({2, 2, 1}), *machine);
  EXPECT_THAT(numbers(choice), ElementsAre(27, 28, 35, 36));
  EXPECT_GT(choice.tried, 1U);
}

/// 4 switches of 4 nodes of 2 slots.
std::unique_ptr<Machine> switches(const char* slots) {
  TreeDescription tree;
  tree.children = {{4}, {4, 4, 4, 4}, std::vector<std::uint32_t>(16, 2)};
  tree.names = {"network", "switch", "host"};
  tree.nodes = 16;
  return TreeMachine::from(tree)->restricted_to(SlotSet::parse(slots, "slots"));
}

TEST(Choice, TakesOneSwitchWhereThatIsEnough) {
  const auto machine = switches("0-1,8-13,20-23,24-31");
  EXPECT_THAT(numbers(choose(stencil({2, 2, 2}), *machine)), ElementsAre(12, 13, 14, 15));
  const auto six = choose(stencil({2, 3, 1}), *switches("0-1,8-13,20-23"));
  EXPECT_THAT(numbers(six), ElementsAre(4, 5, 6));
}

TEST(Choice, NeedsNoMoreNodesThanItMust) {
  const auto machine = parse_machine("tree:64x2x8;slots=0-7,64-100,200-900");
  const auto choice = choose(stencil({8, 8, 8}), *machine);
  EXPECT_EQ(choice.nodes.size(), 32U);
  for (const ChosenNode& chosen : choice.nodes) EXPECT_EQ(chosen.ranks, 16U);
}

TEST(Choice, KeepsFixedRanksInPlace) {
  const auto machine = parse_machine("mesh:8x8");
  MapOptions options;
  options.fixed = {{Rank(3), Slot(63)}};
  const auto choice = choose(stencil({2, 2, 1}), *machine, options);
  EXPECT_EQ(choice.result.mapping[Rank(3)], Slot(63));
  EXPECT_THAT(numbers(choice), ElementsAre(54, 55, 62, 63));
}

TEST(Choice, IsNeverWorseThanTheFirstNodes) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 24; ++round) {
    const auto whole = parse_machine(round % 2 == 0 ? "torus:5x6/4" : "tree:6x5x4");
    std::vector<Slot> kept;
    for (std::uint32_t i = 0; i < whole->slots(); ++i) {
      if (random() % 3 != 0) kept.emplace_back(i);
    }
    const auto machine = whole->restricted_to(SlotSet::of(kept));
    MapOptions options;
    options.capacity = 1 + static_cast<std::uint32_t>(random() % 2);
    const auto room = machine->allowed().size() * options.capacity;
    const auto ranks = static_cast<std::uint32_t>(1 + random() % room);
    const auto graph = TrafficGraph::from(testing::random_matrix(random, ranks, 0.1, 50));
    const auto choice = choose(graph, *machine, options);
    check_mapping(choice.result.mapping, *machine, options.capacity);
    const auto first = identity_mapping(ranks, *machine, options.capacity);
    if (options.capacity > 1) continue;  // identity spreads over all slots
    ASSERT_LE(evaluate_objective(graph, *machine, choice.result.mapping, options.objective),
              evaluate_objective(graph, *machine, first, options.objective));
    std::uint32_t placed = 0;
    for (const ChosenNode& chosen : choice.nodes) placed += chosen.ranks;
    ASSERT_EQ(placed, ranks);
  }
}

TEST(Choice, SaysWhenThereIsNoRoom) {
  try {
    choose(stencil({3, 3, 1}), *parse_machine("mesh:4x4;slots=0-7"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_THAT(error.what(), HasSubstr("room for 9 ranks"));
  }
}

}  // namespace
}  // namespace kith
