// Grids with gaps on grids of nodes that have the same ones.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "core/rng.hpp"
#include "kith/detail/network_machine.hpp"
#include "kith/detail/structure.hpp"
#include "kith/machine.hpp"
#include "kith/mapper.hpp"
#include "mapping/tiling/tilings.hpp"
#include "unit/mapping/task_grids.hpp"

namespace kith::tiling {
namespace {

using testing::most_on_a_slot;
using testing::permuted;

struct Ocean {
  TrafficGraph graph;  ///< of the places that are no land, in a random order
  std::vector<Slot> sea;
};

/// Rows x columns of nodes, neighbours talk; `is_land` and one pair in `one_in` (0: none) left out.
template <class IsLand>
Ocean ocean(std::uint32_t rows, std::uint32_t columns, IsLand is_land, bool is_torus = false,
            std::uint64_t one_in = 0) {
  Rng rng(3);
  std::vector<std::uint32_t> number(rows * columns, 0);
  std::vector<Slot> sea;
  for (std::uint32_t p = 0; p < rows * columns; ++p) {
    number[p] = static_cast<std::uint32_t>(sea.size());
    if (!is_land(p / columns, p % columns)) sea.emplace_back(p);
  }
  TrafficMatrixBuilder cells(static_cast<std::uint32_t>(sea.size()));
  const auto join = [&](std::uint32_t x, std::uint32_t y, std::uint32_t x2, std::uint32_t y2) {
    if (is_land(x, y) || is_land(x2, y2) || (one_in > 0 && rng.below(one_in) == 0)) return;
    cells.add(Rank{number[x * columns + y]}, Rank{number[x2 * columns + y2]}, 1 + rng.below(9));
  };
  for (std::uint32_t x = 0; x < rows; ++x) {
    for (std::uint32_t y = 0; y < columns; ++y) {
      if (x + 1 < rows || is_torus) join(x, y, (x + 1) % rows, y);
      if (y + 1 < columns || is_torus) join(x, y, x, (y + 1) % columns);
    }
  }
  return {permuted(TrafficGraph::from(cells.build()), 5), sea};
}

/// Hops per weight; 0 where nothing is offered.
double hops(const Ocean& ocean, const std::string& spec, bool has_gaps, bool by_basins = false) {
  const auto whole = parse_machine(spec);
  const auto machine = has_gaps ? whole->restricted_to(SlotSet::of(ocean.sea))
                                : whole->restricted_to(whole->allowed());
  const MapOptions options;
  const MapProblem problem{ocean.graph, *machine, options};
  const auto grid = by_basins ? std::nullopt : find_any_grid(ocean.graph);
  if (!grid && !by_basins) return 0;
  const auto mapping = by_basins ? lay_basins(problem, *machine->as_network())
                                 : lay_over(problem, *machine->as_network(), *grid);
  if (!mapping) return 0;
  EXPECT_EQ(most_on_a_slot(*mapping), 1U);
  for (const Slot slot : mapping->slot_of) EXPECT_TRUE(machine->allowed().contains(slot));
  return static_cast<double>(
             evaluate_objective(ocean.graph, *machine, *mapping, options.objective)) /
         static_cast<double>(total_weight(ocean.graph));
}

TEST(Overlay, BasinsLieInTheirOwn) {
  // Two lakes of unlike shape, joined by a channel one rank wide, a pond, and a pair.
  const auto is_land = [](std::uint32_t x, std::uint32_t y) {
    const bool is_in_first = y < 7 && !(x == 3 && y == 4) && !(x > 9 && y < 3);
    const bool is_in_second = y > 8 && (x < 5 || y > 13) && !(x == 0 && y == 9);
    const bool is_pond = x > 7 && x < 11 && y > 8 && y < 12;
    const bool is_channel = x == 2 && (y == 7 || y == 8);
    const bool is_pair = x == 13 && (y == 10 || y == 11);
    return !(is_in_first || is_in_second || is_pond || is_channel || is_pair);
  };
  for (const bool is_torus : {false, true}) {
    const Ocean sea = ocean(16, 18, is_land);
    EXPECT_DOUBLE_EQ(hops(sea, is_torus ? "torus:16x18" : "mesh:16x18", true, true), 1);
  }
  const auto no_land = [](std::uint32_t, std::uint32_t) { return false; };
  EXPECT_EQ(hops(ocean(8, 8, no_land), "mesh:8x8", true, true), 0);  // of one part
}

TEST(Overlay, LandAndSeaLieOnTheSameLandAndSea) {
  const auto is_land = [](std::uint32_t x, std::uint32_t y) {
    const auto is_in = [&](int cx, int cy, int square) {
      const int dx = static_cast<int>(x) - cx;
      const int dy = static_cast<int>(y) - cy;
      return dx * dx + dy * dy < square;
    };
    return is_in(5, 7, 14) || is_in(16, 12, 20) || is_in(23, 0, 40) || is_in(0, 17, 9);
  };
  const Ocean sea = ocean(24, 18, is_land);
  EXPECT_DOUBLE_EQ(hops(sea, "mesh:24x18", true), 1);
  EXPECT_DOUBLE_EQ(hops(sea, "mesh:18x24", false), 1);
  const Ocean around = ocean(24, 18, is_land, true);
  EXPECT_DOUBLE_EQ(hops(around, "torus:24x18", true), 1);
}

/// Hops per weight of a job with the links of a grid of these extents, its ranks in any order, on a
/// machine.
double hops_of_grid(GridNetwork::Kind kind, const std::vector<std::uint32_t>& extents,
                    const std::string& spec) {
  const GridNetwork grid(kind, extents);
  TrafficMatrixBuilder cells(grid.nodes());
  std::vector<std::uint32_t> beside;
  for (std::uint32_t node = 0; node < grid.nodes(); ++node) {
    grid.nearest(node, 2 * extents.size(), beside);
    for (const std::uint32_t other : beside) {
      if (node < other) cells.add(Rank{node}, Rank{other}, 10);
    }
  }
  return hops({permuted(TrafficGraph::from(cells.build()), 5), {}}, spec, false);
}

TEST(Overlay, ARingOfFourIsTwoDimensionsOfTwo) {
  constexpr auto torus = GridNetwork::Kind::torus;
  EXPECT_DOUBLE_EQ(hops_of_grid(torus, {6, 4, 3, 2, 5, 2}, "torus:6x4x3x2x5x2"), 1);
  EXPECT_DOUBLE_EQ(hops_of_grid(torus, {3, 2, 2, 5, 2, 2}, "torus:2x5x4x2x3"), 1);
  EXPECT_DOUBLE_EQ(hops_of_grid(torus, {4, 4, 4, 2}, "hypercube:7"), 1);
}

TEST(Overlay, LinesOfFourStayWhereTwoDimensionsOfTwoLookLikeARing) {
  constexpr auto mesh = GridNetwork::Kind::mesh;
  EXPECT_DOUBLE_EQ(hops_of_grid(mesh, {5, 4, 3, 2, 6, 2}, "mesh:5x4x3x2x6x2"), 1);
  EXPECT_DOUBLE_EQ(hops_of_grid(mesh, {3, 2, 4, 4, 4, 2}, "mesh:3x2x4x4x4x2"), 1);
  EXPECT_DOUBLE_EQ(hops_of_grid(mesh, {4, 2, 3, 2, 6, 4}, "mesh:4x6x2x3x2x4"), 1);
}

TEST(Overlay, AGridLessARankFitsItsMachine) {
  const auto is_missing = [](std::uint32_t x, std::uint32_t y) { return x == 9 && y == 4; };
  EXPECT_DOUBLE_EQ(hops(ocean(20, 16, is_missing), "mesh:20x16", false), 1);
  EXPECT_DOUBLE_EQ(hops(ocean(20, 16, is_missing, true), "torus:20x16", false), 1);
}

TEST(Overlay, MissingPairsDoNotHideTheGrid) {
  const auto nowhere = [](std::uint32_t, std::uint32_t) { return false; };
  EXPECT_LT(hops(ocean(24, 20, nowhere, false, 8), "mesh:24x20", false), 1.02);
  EXPECT_LT(hops(ocean(24, 20, nowhere, true, 6), "torus:24x20", false), 1.02);
}

}  // namespace
}  // namespace kith::tiling
