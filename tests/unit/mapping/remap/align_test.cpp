#include "mapping/remap/remap.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "unit/objective/random_problem.hpp"

namespace kith {
namespace {

std::uint64_t hop_bytes(const MapProblem& problem, const Mapping& mapping) {
  return evaluate_objective(problem.graph, problem.machine, mapping, Objective::hop_bytes);
}

TrafficGraph random_graph(std::mt19937_64& random, std::uint32_t ranks) {
  return TrafficGraph::from(testing::random_matrix(random, ranks, 0.2, 100));
}

/// The slots of a symmetric tree after children of equal objects have changed places at random.
std::vector<Slot> shuffled_tree(std::mt19937_64& random, const std::vector<std::uint32_t>& arities,
                                std::size_t level = 0, std::uint32_t first = 0) {
  if (level == arities.size()) return {Slot(first)};
  std::uint32_t below = 1;
  for (std::size_t l = level + 1; l < arities.size(); ++l) below *= arities[l];
  std::vector<std::vector<Slot>> children;
  for (std::uint32_t i = 0; i < arities[level]; ++i) {
    children.push_back(shuffled_tree(random, arities, level + 1, first + i * below));
  }
  std::shuffle(children.begin(), children.end(), random);
  std::vector<Slot> slots;
  for (const auto& child : children) slots.insert(slots.end(), child.begin(), child.end());
  return slots;
}

TEST(Align, UndoesWhateverPermutesEqualSubtrees) {
  std::mt19937_64 random(1);
  for (const std::vector<std::uint32_t>& arities :
       {std::vector<std::uint32_t>{4, 2, 8}, {64}, {3, 3, 3}, {200, 2}}) {
    std::string spec = "tree:";
    for (const std::uint32_t arity : arities) {
      if (!spec.ends_with(':')) spec += 'x';
      spec += std::to_string(arity);
    }
    const auto machine = parse_machine(spec);
    const auto graph = random_graph(random, machine->slots());
    MapOptions options;
    options.from = testing::random_mapping(random, graph.ranks(), *machine, 1);
    const auto shuffled = shuffled_tree(random, arities);
    Mapping mapping = *options.from;
    for (Slot& slot : mapping.slot_of) slot = shuffled[slot.value];
    ASSERT_NE(mapping, *options.from);
    EXPECT_EQ(align({graph, *machine, options}, mapping), *options.from) << spec;
  }
}

/// All ways in which the slots of a symmetric tree may change places without changing a distance.
std::vector<std::vector<Slot>> symmetries(const std::vector<std::uint32_t>& arities,
                                          std::size_t level = 0, std::uint32_t first = 0) {
  if (level == arities.size()) return {{Slot(first)}};
  std::uint32_t below = 1;
  for (std::size_t l = level + 1; l < arities.size(); ++l) below *= arities[l];
  std::vector<std::uint32_t> order(arities[level]);
  std::iota(order.begin(), order.end(), 0U);
  std::vector<std::vector<Slot>> all;
  do {
    std::vector<std::vector<Slot>> some{{}};
    for (const std::uint32_t child : order) {
      std::vector<std::vector<Slot>> longer;
      for (const auto& begin : some) {
        for (const auto& end : symmetries(arities, level + 1, first + child * below)) {
          longer.push_back(begin);
          longer.back().insert(longer.back().end(), end.begin(), end.end());
        }
      }
      some = std::move(longer);
    }
    all.insert(all.end(), some.begin(), some.end());
  } while (std::ranges::next_permutation(order).found);
  return all;
}

TEST(Align, MovesFewestOfAllSymmetriesOfATree) {
  std::mt19937_64 random(7);
  for (const std::vector<std::uint32_t>& arities :
       {std::vector<std::uint32_t>{3, 3}, {2, 2, 2}, {4, 2}, {2, 4}}) {
    std::string spec;
    for (const std::uint32_t arity : arities) {
      spec += (spec.empty() ? "tree:" : "x") + std::to_string(arity);
    }
    const auto machine = parse_machine(spec);
    const auto all = symmetries(arities);
    for (int round = 0; round < 30; ++round) {
      const auto ranks = static_cast<std::uint32_t>(machine->slots() - random() % 4);
      const auto graph = random_graph(random, ranks);
      MapOptions options;
      options.from = testing::random_mapping(random, ranks, *machine, 1);
      const Mapping mapping = testing::random_mapping(random, ranks, *machine, 1);
      std::uint64_t fewest = ranks;
      for (const auto& symmetry : all) {
        Mapping turned = mapping;
        for (Slot& slot : turned.slot_of) slot = symmetry[slot.value];
        fewest = std::min(fewest, moved_ranks(*options.from, turned));
      }
      ASSERT_EQ(moved_ranks(*options.from, align({graph, *machine, options}, mapping)), fewest)
          << spec << ", round " << round;
    }
  }
}

TEST(Align, KeepsTheObjectiveAndTheRules) {
  std::mt19937_64 random(2);
  std::uint64_t before = 0;
  std::uint64_t after = 0;
  for (int round = 0; round < 300; ++round) {
    const auto tree = round % 2 == 0 ? testing::random_symmetric_tree(random, 60)
                                     : testing::random_unequal_tree(random);
    std::vector<Slot> some = tree->allowed().to_vector();
    std::erase_if(some, [&](Slot) { return random() % 4 == 0; });
    const auto machine = some.empty() ? nullptr : tree->restricted_to(SlotSet::of(some));
    if (machine == nullptr) continue;
    MapOptions options;
    options.capacity = 1 + static_cast<std::uint32_t>(random() % 2);
    const auto ranks =
        static_cast<std::uint32_t>(1 + random() % (machine->allowed().size() * options.capacity));
    const auto graph = random_graph(random, ranks);
    options.from = testing::random_mapping(random, ranks, *tree, options.capacity);
    if (round % 3 == 0) options.from->slot_of[0] = no_slot;
    const Mapping mapping = testing::random_mapping(random, ranks, *machine, options.capacity);
    if (round % 4 == 0) options.fixed = {{Rank(ranks / 2), mapping[Rank(ranks / 2)]}};
    const MapProblem problem{graph, *machine, options};
    const Mapping aligned = align(problem, mapping);
    check_mapping(aligned, *machine, options.capacity);
    ASSERT_EQ(hop_bytes(problem, aligned), hop_bytes(problem, mapping)) << "round " << round;
    for (const FixedRank& fixed : options.fixed) ASSERT_EQ(aligned[fixed.rank], fixed.slot);
    ASSERT_LE(moved_ranks(*options.from, aligned), moved_ranks(*options.from, mapping));
    before += moved_ranks(*options.from, mapping);
    after += moved_ranks(*options.from, aligned);
  }
  EXPECT_LT(after, before * 9 / 10);
}

TEST(Align, OnlyExchangesWhatIsShapedAlike) {
  // Three slots allowed on the left, two on the right: the pairs cannot change sides.
  const auto machine = parse_machine("tree:2x3;slots=0-4");
  TrafficMatrixBuilder builder(4);
  builder.add(Rank(0), Rank(1), 1);
  builder.add(Rank(2), Rank(3), 1);
  const auto graph = TrafficGraph::from(builder.build());
  MapOptions options;
  options.from = Mapping{{Slot(3), Slot(4), Slot(0), Slot(1)}};
  const Mapping mapping{{Slot(0), Slot(1), Slot(3), Slot(4)}};
  EXPECT_EQ(align({graph, *machine, options}, mapping), mapping);
  const auto whole = parse_machine("tree:2x3");
  EXPECT_EQ(align({graph, *whole, options}, mapping), *options.from);
}

/// Ranks by coordinate of a grid -> the same after a symmetry of it.
class AlignGrid : public ::testing::Test {
 protected:
  template <class Turn>
  void expect_undone(const std::string& spec, std::vector<std::uint32_t> extents,
                     std::uint32_t per_node, const Turn& turn) {
    const auto machine = parse_machine(spec);
    std::mt19937_64 random(4);
    const auto graph = random_graph(random, machine->slots());
    MapOptions options;
    options.from = testing::random_mapping(random, graph.ranks(), *machine, 1);
    Mapping mapping = *options.from;
    for (Slot& slot : mapping.slot_of) {
      std::uint32_t node = slot.value / per_node;
      std::vector<std::uint32_t> at(extents.size());
      for (std::size_t d = extents.size(); d-- > 0; node /= extents[d]) at[d] = node % extents[d];
      turn(at);
      node = 0;
      for (std::size_t d = 0; d < extents.size(); ++d) node = node * extents[d] + at[d];
      slot = Slot(node * per_node + slot.value % per_node);
    }
    const MapProblem problem{graph, *machine, options};
    ASSERT_EQ(hop_bytes(problem, mapping), hop_bytes(problem, *options.from)) << spec;
    ASSERT_NE(mapping, *options.from);
    EXPECT_EQ(align(problem, mapping), *options.from) << spec;
  }
};

using Coordinates = std::vector<std::uint32_t>;

TEST_F(AlignGrid, UndoesShiftsOfATorus) {
  expect_undone("torus:4x6", {4, 6}, 1, [](Coordinates& at) { at[1] = (at[1] + 5) % 6; });
  expect_undone("torus:4x3x2/2x2", {4, 3, 2}, 4, [](Coordinates& at) {
    at = {(at[0] + 1) % 4, (at[1] + 2) % 3, (at[2] + 1) % 2};
  });
}

TEST_F(AlignGrid, UndoesReflections) {
  expect_undone("mesh:4x6", {4, 6}, 1, [](Coordinates& at) { at[1] = 5 - at[1]; });
  expect_undone("torus:5x3/4", {5, 3}, 4, [](Coordinates& at) {
    at = {(7 - at[0]) % 5, (at[1] + 1) % 3};
  });
  expect_undone("hypercube:5", {2, 2, 2, 2, 2}, 1, [](Coordinates& at) { at[3] = 1 - at[3]; });
}

TEST_F(AlignGrid, UndoesTurns) {
  expect_undone("mesh:4x4x2", {4, 4, 2}, 1, [](Coordinates& at) { std::swap(at[0], at[1]); });
  expect_undone("torus:3x5x3/2", {3, 5, 3}, 2, [](Coordinates& at) {
    std::swap(at[0], at[2]);
    at[0] = (at[0] + 1) % 3;
  });
}

// All ranks one node on, along the rows: what a torus may undo, unless a rank is fixed or a slot is
// gone; on a mesh those that wrap around would come to lie elsewhere.
TEST(Align, LeavesGridsAloneWhereTurningThemBreaksARule) {
  std::mt19937_64 random(8);
  for (const char* spec : {"mesh:4x4", "mesh:3x5/2", "torus:4x4", "torus:4x4;slots=1-15",
                           "torus:3x5/2", "torus:2x2x4;slots=0-9"}) {
    const auto machine = parse_machine(spec);
    const auto whole = parse_machine(std::string(spec).substr(0, std::string(spec).find(';')));
    for (int round = 0; round < 10; ++round) {
      const auto ranks = static_cast<std::uint32_t>(machine->allowed().size());
      const auto graph = random_graph(random, ranks);
      MapOptions options;
      options.from.emplace();
      const Mapping mapping = testing::random_mapping(random, ranks, *machine, 1);
      for (const Slot slot : mapping.slot_of) {
        const std::uint32_t per_node = std::string(spec).find('/') == std::string::npos ? 1 : 2;
        options.from->slot_of.emplace_back((slot.value + per_node) % whole->slots());
      }
      if (round % 2 == 0) options.fixed = {{Rank(3), mapping[Rank(3)]}};
      const MapProblem problem{graph, *machine, options};
      const Mapping aligned = align(problem, mapping);
      check_mapping(aligned, *machine, 1);
      EXPECT_EQ(hop_bytes(problem, aligned), hop_bytes(problem, mapping)) << spec;
      for (const FixedRank& fixed : options.fixed) EXPECT_EQ(aligned[fixed.rank], fixed.slot);
    }
  }
}

TEST(Align, ExchangesNodesOfARouter) {
  const auto machine = parse_machine("dragonfly:3,2,4");
  const auto graph = TrafficGraph::from(TrafficMatrixBuilder(24).build());
  MapOptions options;
  options.from = identity_mapping(24, *machine, 1);
  Mapping mapping = *options.from;
  std::reverse(mapping.slot_of.begin() + 4, mapping.slot_of.begin() + 8);
  EXPECT_EQ(align({graph, *machine, options}, mapping), *options.from);
  std::reverse(mapping.slot_of.begin(), mapping.slot_of.end());
  EXPECT_EQ(moved_ranks(*options.from, align({graph, *machine, options}, mapping)), 24U);
}

TEST(Align, GoesBySlotsInUseOnHugeMachines) {
  const auto machine = parse_machine("tree:1000x100000");
  const auto graph = TrafficGraph::from(TrafficMatrixBuilder(2).build());
  MapOptions options;
  options.from = Mapping{{Slot(99'999'999), Slot(50'000'000)}};
  const Mapping mapping{{Slot(5), Slot(200'000)}};
  EXPECT_EQ(align({graph, *machine, options}, mapping), *options.from);
}

}  // namespace
}  // namespace kith
