#include "mapping/tiling/tilings.hpp"

#include <gtest/gtest.h>

#include "unit/mapping/task_grids.hpp"

namespace kith::tiling {
namespace {

using testing::grid_in;
using testing::most_on_a_slot;
using testing::permuted;
using testing::stencil_graph;

struct Tiled {
  std::optional<GridTiling> tiling;
  double hops_per_weight = 0;
  std::uint32_t most_on_a_slot = 0;
};

Tiled tile(const TrafficGraph& graph, const char* spec, std::uint32_t capacity = 1) {
  const auto machine = parse_machine(spec);
  MapOptions options;
  options.capacity = capacity;
  const MapProblem problem{graph, *machine, options};
  Tiled result{tile_grid(problem, *machine->as_network(), grid_in(graph)), 0, 0};
  if (!result.tiling) return result;
  const Mapping& mapping = result.tiling->mapping;
  result.hops_per_weight =
      static_cast<double>(evaluate_objective(graph, *machine, mapping, options.objective)) /
      static_cast<double>(total_weight(graph));
  result.most_on_a_slot = most_on_a_slot(mapping);
  return result;
}

struct Perfect {
  std::vector<std::uint32_t> extents;
  const char* machine;
};

TEST(GridTiling, TakesOneHopWhereThatIsPossible) {
  const Perfect cases[] = {{{16, 16, 16}, "torus:16x16x16"}, {{8, 8}, "torus:4x4x4"},
                           {{4, 8, 16}, "torus:16x4x8"},     {{32, 32}, "hypercube:10"},
                           {{8, 8, 16}, "hypercube:10"},     {{16, 4}, "mesh:4x4x4"},
                           {{12, 10}, "torus:16x16"},        {{3, 5, 7}, "mesh:8x8x8"},
                           {{12, 10}, "torus:4x3x10"},       {{30, 7}, "mesh:8x4x8"}};
  for (const Perfect& one : cases) {
    const unsigned points = one.extents.size() == 2 ? 5 : 7;
    const auto graph = permuted(stencil_graph(one.extents, points), 2);
    const Tiled tiled = tile(graph, one.machine);
    ASSERT_TRUE(tiled.tiling) << one.machine;
    EXPECT_TRUE(tiled.tiling->is_perfect) << one.machine;
    EXPECT_DOUBLE_EQ(tiled.hops_per_weight, 1) << one.machine;
    EXPECT_EQ(tiled.most_on_a_slot, 1U) << one.machine;
  }
}

TEST(GridTiling, CountsInGrayCodeOnHypercubes) {
  const Perfect cases[] = {{{16, 16, 16}, "hypercube:12"},
                           {{5, 20, 13}, "hypercube:12"},
                           {{2, 64, 16}, "hypercube:13"},
                           {{128, 100}, "hypercube:14"}};
  for (const Perfect& one : cases) {
    const unsigned points = one.extents.size() == 2 ? 5 : 7;
    const Tiled tiled = tile(permuted(stencil_graph(one.extents, points), 5), one.machine);
    ASSERT_TRUE(tiled.tiling) << one.machine;
    EXPECT_TRUE(tiled.tiling->is_perfect) << one.machine;
    EXPECT_DOUBLE_EQ(tiled.hops_per_weight, 1) << one.machine;
    EXPECT_EQ(tiled.most_on_a_slot, 1U) << one.machine;
  }
  const Tiled around = tile(stencil_graph({16, 8, 32}, 7, true), "hypercube:12");
  ASSERT_TRUE(around.tiling);
  EXPECT_DOUBLE_EQ(around.hops_per_weight, 1);
  const Tiled shared = tile(permuted(stencil_graph({16, 16, 16}, 7), 6), "hypercube:9/8");
  ASSERT_TRUE(shared.tiling);
  EXPECT_TRUE(shared.tiling->is_perfect);
  EXPECT_EQ(shared.tiling->node_block, (std::vector<std::uint32_t>{2, 2, 2}));
}

TEST(GridTiling, LaysTorusOnTorus) {
  const Tiled tiled = tile(stencil_graph({6, 8, 4}, 7, true), "torus:8x4x6");
  ASSERT_TRUE(tiled.tiling);
  EXPECT_DOUBLE_EQ(tiled.hops_per_weight, 1);
}

TEST(GridTiling, FillsNodesWithBoxes) {
  const Tiled tiled = tile(permuted(stencil_graph({16, 16, 16}, 7), 4), "torus:8x8x8/2x4");
  ASSERT_TRUE(tiled.tiling);
  EXPECT_EQ(tiled.tiling->node_block, (std::vector<std::uint32_t>{2, 2, 2}));
  EXPECT_EQ(tiled.most_on_a_slot, 1U);
  // 512 nodes: 8 pairs of slots in one socket meet at 2, 4 across at 4; 3 x 7 x 64 faces of four
  // pairs between neighbouring nodes take 1 hop and 2 levels at both ends.
  const double inside = 512 * (8 * 2 + 4 * 4);
  const double outside = 3 * 7 * 64 * 4 * 5;
  EXPECT_DOUBLE_EQ(tiled.hops_per_weight, (inside + outside) / (3 * 15 * 256));
}

TEST(GridTiling, LeavesSlotsEmptyWhereRanksAreFewer) {
  const Tiled tiled = tile(stencil_graph({15, 15, 15}, 7), "torus:8x8x8/2x4");
  ASSERT_TRUE(tiled.tiling);
  EXPECT_TRUE(tiled.tiling->is_perfect);
  EXPECT_EQ(tiled.most_on_a_slot, 1U);
  const Tiled shared = tile(stencil_graph({9, 10}, 5), "mesh:5x5", 4);
  ASSERT_TRUE(shared.tiling);
  EXPECT_TRUE(shared.tiling->is_perfect);
  EXPECT_LE(shared.most_on_a_slot, 4U);
}

TEST(GridTiling, SaysWhenNeighboursAreFurtherApart) {
  const Tiled tiled = tile(stencil_graph({12, 10}, 5), "torus:8x15");
  ASSERT_TRUE(tiled.tiling);
  EXPECT_FALSE(tiled.tiling->is_perfect);
  EXPECT_EQ(tiled.most_on_a_slot, 1U);
  EXPECT_LT(tiled.hops_per_weight, 1.75);
}

TEST(GridTiling, IsNoneWhereSlotsAreNotAllowed) {
  EXPECT_FALSE(tile(stencil_graph({4, 4}, 5), "torus:5x5;slots=0-19").tiling);
}

struct Unfolded {
  std::vector<std::uint32_t> extents;
  const char* machine;
  double most_hops;  ///< per weight
};

TEST(Unfolding, KeepsNeighboursNearWhereExtentsDoNotMatch) {
  const Unfolded cases[] = {{{100, 10}, "torus:32x32", 1.25},
                            {{90, 110}, "torus:99x100", 1.3},
                            {{31, 32}, "torus:10x10x10", 1.5},
                            {{40, 41}, "mesh:45x40", 1.3},
                            {{100, 10}, "mesh:32x32", 1.25}};
  for (const Unfolded& one : cases) {
    const auto graph = permuted(stencil_graph(one.extents, 5), 2);
    const auto machine = parse_machine(one.machine);
    const MapProblem problem{graph, *machine, {}};
    const auto mapping = map_unfolded(problem, *machine->as_network(), grid_in(graph));
    ASSERT_TRUE(mapping) << one.machine;
    EXPECT_EQ(most_on_a_slot(*mapping), 1U) << one.machine;
    const auto hops = evaluate_objective(graph, *machine, *mapping, Objective::hop_bytes);
    EXPECT_LT(static_cast<double>(hops), one.most_hops * static_cast<double>(total_weight(graph)))
        << one.machine;
  }
}

TEST(Unfolding, UsesAllowedSlotsAlone) {
  for (const std::uint32_t capacity : {1U, 2U}) {
    const auto graph = stencil_graph({5, 6}, 5);
    const auto machine = parse_machine("torus:4x5/3;slots=3-29,40-55");
    MapOptions options;
    options.capacity = capacity;
    const MapProblem problem{graph, *machine, options};
    const auto mapping = map_unfolded(problem, *machine->as_network(), grid_in(graph));
    ASSERT_TRUE(mapping);
    EXPECT_LE(most_on_a_slot(*mapping), capacity);
    for (const Slot slot : mapping->slot_of) EXPECT_TRUE(machine->allowed().contains(slot));
  }
}

}  // namespace
}  // namespace kith::tiling
