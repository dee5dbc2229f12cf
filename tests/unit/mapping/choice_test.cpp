#include "kith/detail/choice.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <set>

#include "kith/detail/generate.hpp"
#include "kith/error.hpp"
#include "mapping/node_sets.hpp"
#include "unit/objective/random_problem.hpp"
#include "unit/test_files.hpp"

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
  const auto free = free_nodes(*machine, "SPEC");
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

/// How many of the largest nodes hold so many ranks.
std::size_t fewest_nodes(const Machine& machine, std::uint64_t ranks, std::uint32_t capacity) {
  auto free = free_nodes(machine, "SPEC");
  std::ranges::sort(free, std::greater{}, &FreeNode::slots);
  std::size_t nodes = 0;
  for (std::uint64_t room = 0; room < ranks; ++nodes) room += free[nodes].slots * capacity;
  return nodes;
}

TEST(Choice, TakesAsFewNodesAsHoldAllRanksAndGainsOverTheFirst) {
  std::mt19937_64 random(5);
  int compared = 0;
  for (int round = 0; round < 60; ++round) {
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
    const auto choice = choose(graph, *machine, options, "identity+refine");
    check_mapping(choice.result.mapping, *machine, options.capacity);
    ASSERT_LE(choice.nodes.size(), fewest_nodes(*machine, ranks, options.capacity));
    std::uint32_t placed = 0;
    for (const ChosenNode& chosen : choice.nodes) placed += chosen.ranks;
    ASSERT_EQ(placed, ranks);
    const auto first = identity_mapping(ranks, *machine, 1 * options.capacity);
    std::set<std::uint64_t> first_nodes;
    for (const Slot slot : first.slot_of) first_nodes.insert(machine->node_of(slot));
    if (options.capacity > 1 || first_nodes.size() > choice.nodes.size()) continue;
    ++compared;
    ASSERT_LE(evaluate_objective(graph, *machine, choice.result.mapping, options.objective),
              evaluate_objective(graph, *machine, first, options.objective));
  }
  EXPECT_GT(compared, 3);
}

TEST(Choice, GoesByCostWhereThatIsTheObjective) {
  // Hops say nothing: all nodes are one apart. The cheap four are the last.
  const TempDirectory dir;
  std::string text;
  for (int i = 0; i < 8; ++i) {
    for (int j = 0; j < 8; ++j) {
      text += i == j ? "0 " : (i >= 4 && j >= 4 ? "0.3 " : "1.4 ");
    }
    text += "\n";
  }
  const auto machine = parse_machine("matrix:" + dir.write("costs", text).string());
  MapOptions options;
  options.objective = default_objective(*machine);
  EXPECT_THAT(numbers(choose(stencil({2, 2, 1}), *machine, options)), ElementsAre(4, 5, 6, 7));
}

TEST(Choice, TriesABoxOfAGrid) {
  const auto machine = parse_machine("torus:16x16x16");
  const auto graph = stencil({4, 4, 4});
  const auto choice = choose(graph, *machine);
  EXPECT_EQ(evaluate_objective(graph, *machine, choice.result.mapping, Objective::hop_bytes),
            total_weight(graph));
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
