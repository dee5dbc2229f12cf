#include "mapping/tiling/tilings.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "unit/mapping/task_grids.hpp"

namespace kith::tiling {
namespace {

using testing::grid_in;
using testing::most_on_a_slot;
using testing::one_way;
using testing::permuted;
using testing::ranks_by_slot;
using testing::stencil_graph;

struct Known {
  std::vector<std::uint32_t> extents;
  unsigned points;
  const char* tree;
  std::uint64_t value;
};

const Known known[] = {
    {{32, 32}, 5, "tree:64x2x8@100,10,1", 48640},
    {{128, 128}, 5, "tree:16x16x4x16@1000,100,10,1", 1140736},
    {{256, 512}, 5, "tree:32x32x4x32@1000,100,10,1", 5834752},
    {{16, 16, 16}, 7, "tree:64x4x16@100,10,1", 258048},
    {{16, 16, 16}, 27, "tree:64x4x16@100,10,1", 34926192},
    {{32, 32, 32}, 7, "tree:16x32x4x16@1000,100,10,1", 6979584},
    {{32, 32, 32}, 27, "tree:16x32x4x16@1000,100,10,1", 974813536},
    {{64, 64, 32}, 7, "tree:32x32x4x32@1000,100,10,1", 22872064},
};

MapOptions sum_com() {
  MapOptions options;
  options.objective = Objective::sum_com;
  return options;
}

TEST(TreeTiling, ReachesTheBestKnown) {
  for (const Known& line : known) {
    const auto graph = stencil_graph(line.extents, line.points);
    const auto machine = parse_machine(line.tree);
    const MapOptions options = sum_com();
    const MapProblem problem{graph, *machine, options};
    const auto tiling = tile_tree(problem, *machine->as_tree(), grid_in(graph));
    ASSERT_TRUE(tiling) << line.tree;
    EXPECT_EQ(one_way(problem, tiling->mapping), line.value) << line.tree;
    EXPECT_EQ(ranks_by_slot(tiling->mapping).size(), graph.ranks());
  }
}

TEST(TreeTiling, DoesNotDependOnTheOrderOfRanks) {
  const auto graph = permuted(stencil_graph({16, 16, 16}, 7), 3);
  const auto machine = parse_machine("tree:64x4x16@100,10,1");
  const MapOptions options = sum_com();
  const MapProblem problem{graph, *machine, options};
  const auto tiling = tile_tree(problem, *machine->as_tree(), grid_in(graph));
  ASSERT_TRUE(tiling);
  EXPECT_EQ(one_way(problem, tiling->mapping), 258048U);
}

TEST(TreeTiling, PutsSeveralRanksOnASlot) {
  const auto graph = stencil_graph({16, 16}, 5);
  const auto machine = parse_machine("tree:4x4x4@100,10,1");
  MapOptions options = sum_com();
  options.capacity = 4;
  const MapProblem problem{graph, *machine, options};
  const auto tiling = tile_tree(problem, *machine->as_tree(), grid_in(graph));
  ASSERT_TRUE(tiling);
  EXPECT_EQ(most_on_a_slot(tiling->mapping), 4U);
  // Quarters of quarters of quarters: 2 x 16 pairs between those of the first level, 4 x 2 x 8 of
  // the second, 16 x 2 x 4 of the third; weight 2.
  EXPECT_EQ(one_way(problem, tiling->mapping), 32U * 100 + 64 * 10 + 128);
}

TEST(TreeTiling, IsNoneWhereNothingDivides) {
  const auto graph = stencil_graph({5, 5}, 5);
  const auto machine = parse_machine("tree:7x4");
  EXPECT_FALSE(tile_tree({graph, *machine, {}}, *machine->as_tree(), grid_in(graph)));
}

double to_identity(const MapProblem& problem, const Mapping& mapping) {
  const auto identity = map_ranks(find_algorithm("identity"), problem).mapping;
  return static_cast<double>(one_way(problem, mapping)) /
         static_cast<double>(one_way(problem, identity));
}

TEST(TreeSplitting, IsAsGoodAsTheTilingWhereAllDivides) {
  for (const Known& line : known) {
    const auto graph = stencil_graph(line.extents, line.points);
    const auto machine = parse_machine(line.tree);
    const MapOptions options = sum_com();
    const MapProblem problem{graph, *machine, options};
    const auto mapping = split_on_tree(problem, rank_space(grid_in(graph)), Filling::packed);
    EXPECT_LE(static_cast<double>(one_way(problem, mapping)),
              1.005 * static_cast<double>(line.value))
        << line.tree;
    EXPECT_EQ(ranks_by_slot(mapping).size(), graph.ranks());
  }
}

TEST(TreeSplitting, CutsOddExtentsIntoUnequalBoxes) {
  const auto graph = permuted(stencil_graph({30, 40, 25}, 7), 1);
  const auto machine = parse_machine("tree:20x20x3x25@1000,100,10,1");
  const MapOptions options = sum_com();
  const MapProblem problem{graph, *machine, options};
  const auto mapping = split_on_tree(problem, rank_space(grid_in(graph)), Filling::packed);
  EXPECT_EQ(ranks_by_slot(mapping).size(), graph.ranks());
  // Natural order gives 21 423 800, equal boxes 0.3631 of it, Scotch 0.34.
  EXPECT_LT(static_cast<double>(one_way(problem, mapping)), 0.312 * 21'423'800);
}

TEST(TreeSplitting, NeedsNoGrid) {
  const std::uint32_t ranks = 2000;
  MapOptions options = sum_com();
  options.coordinates = RankCoordinates{2, {}, {}};
  std::mt19937_64 random(9);
  std::uniform_real_distribution<double> uniform(-3, 5);
  for (std::uint32_t i = 0; i < 2 * ranks; ++i) {
    options.coordinates->values.push_back(uniform(random));
  }
  TrafficMatrixBuilder builder(ranks);
  const auto near = [&](std::uint32_t a, std::uint32_t b) {
    const auto p = options.coordinates->of(a);
    const auto q = options.coordinates->of(b);
    return std::hypot(p[0] - q[0], p[1] - q[1]) < 0.4;
  };
  for (std::uint32_t a = 0; a < ranks; ++a) {
    for (std::uint32_t b = 0; b < a; ++b) {
      if (near(a, b)) builder.add(Rank(a), Rank(b), 1);
    }
  }
  const auto graph = TrafficGraph::from(builder.build());
  const auto machine = parse_machine("tree:20x10x10@100,10,1");
  const MapProblem problem{graph, *machine, options};
  const auto mapping = split_on_tree(problem, rank_space(*options.coordinates), Filling::packed);
  EXPECT_EQ(ranks_by_slot(mapping).size(), ranks);
  EXPECT_LT(to_identity(problem, mapping), 0.35);
}

TEST(TreeSplitting, KeepsToWhatSlotsHoldOnAnyTree) {
  std::mt19937_64 random(17);
  const char* const machines[] = {"tree:3x4x5",    "tree:7x9;slots=0-11,20-52,60",
                                  "torus:3x4/2x2", "tree:2x2x2x2x2x2",
                                  "tree:50",       "tree:1x1x60"};
  for (int round = 0; round < 120; ++round) {
    const auto machine = parse_machine(machines[round % std::size(machines)]);
    MapOptions options;
    options.capacity = static_cast<std::uint32_t>(1 + random() % 3);
    const std::uint64_t places = machine->allowed().size() * options.capacity;
    std::vector<std::uint32_t> extents{static_cast<std::uint32_t>(2 + random() % 5),
                                       static_cast<std::uint32_t>(2 + random() % 5)};
    if (random() % 2 == 0 && places >= 2ULL * extents[0] * extents[1]) extents.push_back(2);
    const auto graph = permuted(stencil_graph(extents, extents.size() == 2 ? 5 : 7), round);
    if (graph.ranks() > places || !find_grid_structure(graph)) continue;
    const MapProblem problem{graph, *machine, options};
    for (const Filling filling : {Filling::packed, Filling::even}) {
      const auto mapping = split_on_tree(problem, rank_space(grid_in(graph)), filling);
      ASSERT_EQ(mapping.slot_of.size(), graph.ranks());
      ASSERT_LE(most_on_a_slot(mapping), options.capacity) << round;
      for (const Slot slot : mapping.slot_of) ASSERT_TRUE(machine->allowed().contains(slot));
    }
  }
}

TEST(TreeSplitting, UsesAsFewObjectsAsHoldTheRanks) {
  const auto graph = stencil_graph({4, 5}, 5);
  const auto machine = parse_machine("tree:8x16@10,1");
  const MapOptions options = sum_com();
  const MapProblem problem{graph, *machine, options};
  const auto ranks_by_node = [&](Filling filling) {
    std::map<std::uint64_t, std::uint32_t> ranks;
    for (const Slot slot : split_on_tree(problem, rank_space(grid_in(graph)), filling).slot_of) {
      ++ranks[machine->node_of(slot)];
    }
    return ranks;
  };
  using Ranks = std::map<std::uint64_t, std::uint32_t>;
  EXPECT_EQ(ranks_by_node(Filling::packed), (Ranks{{0, 16}, {1, 4}}));
  EXPECT_EQ(ranks_by_node(Filling::even), (Ranks{{0, 10}, {1, 10}}));
}

}  // namespace
}  // namespace kith::tiling
