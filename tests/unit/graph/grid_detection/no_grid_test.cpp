// What looks like a grid in part, and what does not.
#include <gtest/gtest.h>

#include <numeric>

#include "grid_traffic.hpp"
#include "kith/detail/generate.hpp"
#include "kith/detail/structure.hpp"

namespace kith {
namespace {

using test::Grid;
using test::grid_cells;

bool has_grid(const Pattern& pattern) {
  return find_grid_structure(TrafficGraph::from(to_matrix(pattern))).has_value();
}

TEST(NoGrid, OtherPatternsAreNoGrids) {
  for (const std::uint32_t ranks : {8U, 27U, 64U, 1000U}) {
    EXPECT_FALSE(has_grid(*make_alltoall(ranks, 5))) << ranks;
    EXPECT_FALSE(has_grid(*make_dense_random(ranks, ranks))) << ranks;
    EXPECT_FALSE(has_grid(*make_geometric(ranks, ranks))) << ranks;
  }
  EXPECT_FALSE(has_grid(*make_geometric(20000, 1)));
  EXPECT_FALSE(has_grid(*make_rmat(12, 1U << 16, 1)));
  for (const std::uint32_t ranks : {16U, 64U, 256U, 1024U, 4096U}) {
    EXPECT_FALSE(has_grid(*make_cg(ranks, 5))) << ranks;
  }
}

TEST(NoGrid, DegenerateTrafficIsNoGrid) {
  for (const std::uint32_t ranks : {0U, 1U, 2U, 10U}) {
    EXPECT_FALSE(find_grid_structure(TrafficGraph::from(TrafficMatrixBuilder(ranks).build())));
  }
  TrafficMatrixBuilder star(20);
  TrafficMatrixBuilder apart(8);
  TrafficMatrixBuilder tree(15);
  for (std::uint32_t r = 1; r < 20; ++r) star.add(Rank{0}, Rank{r}, 9);
  for (std::uint32_t r = 0; r < 8; r += 2) apart.add(Rank{r}, Rank{r + 1}, 9);
  for (std::uint32_t r = 1; r < 15; ++r) tree.add(Rank{r}, Rank{(r - 1) / 2}, 9);
  EXPECT_FALSE(find_grid_structure(TrafficGraph::from(star.build())));
  EXPECT_FALSE(find_grid_structure(TrafficGraph::from(apart.build())));
  EXPECT_FALSE(find_grid_structure(TrafficGraph::from(tree.build())));
}

/// Grids but for their seams: rank pairs, all alike.
struct Seamed {
  std::string name;
  std::uint32_t ranks;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;

  TrafficGraph graph(const std::vector<std::uint32_t>& label) const {
    TrafficMatrixBuilder builder(ranks);
    for (const auto& [a, b] : pairs) builder.add(Rank{label[a]}, Rank{label[b]}, 1000);
    return TrafficGraph::from(builder.build());
  }
};

/// A ring, and each rank with the one `step` further: a torus twisted by one row.
Seamed circulant(std::uint32_t ranks, std::uint32_t step) {
  Seamed seamed{"circulant " + std::to_string(ranks) + ' ' + std::to_string(step), ranks, {}};
  for (std::uint32_t r = 0; r < ranks; ++r) {
    seamed.pairs.emplace_back(r, (r + 1) % ranks);
    if (2 * step != ranks || r < step) seamed.pairs.emplace_back(r, (r + step) % ranks);
  }
  return seamed;
}

/// A square whose rows are rings and whose last row meets the first one backwards.
Seamed klein_bottle(std::uint32_t side) {
  Seamed seamed{"Klein bottle " + std::to_string(side), side * side, {}};
  for (std::uint32_t x = 0; x < side; ++x) {
    for (std::uint32_t y = 0; y < side; ++y) {
      seamed.pairs.emplace_back(side * x + y, side * x + (y + 1) % side);
      seamed.pairs.emplace_back(side * x + y, x + 1 < side ? side * (x + 1) + y : side - 1 - y);
    }
  }
  return seamed;
}

TEST(NoGrid, WhatIsTwistedIsNoGridInAnyOrder) {
  // The ladders: circulants of half the ranks. In large ones the seam is next to nothing.
  for (const Seamed& seamed :
       {circulant(20, 5), circulant(24, 6), circulant(30, 5), circulant(1024, 32), circulant(12, 6),
        circulant(400, 200), klein_bottle(4), klein_bottle(30)}) {
    std::vector<std::uint32_t> natural(seamed.ranks);
    std::iota(natural.begin(), natural.end(), 0U);
    const auto as_it_is = find_grid_structure(seamed.graph(natural));
    EXPECT_FALSE(as_it_is) << seamed.name << " as " << as_it_is->description();
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const auto found = find_grid_structure(seamed.graph(random_permutation(seamed.ranks, seed)));
      EXPECT_FALSE(found) << seamed.name << " permuted, as " << found->description();
    }
  }
}

TEST(NoGrid, AGridAmidManyPairsOfItsWeightIsNone) {
  const Grid grid{{8, 8}, {false, false}, "5-point"};
  for (const std::uint32_t others : {2U, 12U}) {  // beside 112 pairs
    TrafficMatrixBuilder cells = grid_cells(grid);
    for (std::uint32_t r = 0; r < others; ++r) cells.add(Rank{r + 8}, Rank{r + 27}, 1000);
    EXPECT_EQ(find_grid_structure(TrafficGraph::from(cells.build())).has_value(), others == 2);
  }
}

TEST(NoGrid, AHexagonalLatticeIsNoGrid) {
  TrafficMatrixBuilder lattice(144);
  for (std::uint32_t x = 0; x < 12; ++x) {
    for (std::uint32_t y = 0; y < 12; ++y) {
      const Rank here{12 * x + y};
      if (x < 11) lattice.add(here, Rank{here.value + 12}, 100);
      if (y < 11) lattice.add(here, Rank{here.value + 1}, 100);
      if (x < 11 && y < 11) lattice.add(here, Rank{here.value + 13}, 100);
    }
  }
  EXPECT_FALSE(find_grid_structure(TrafficGraph::from(lattice.build())));
}

}  // namespace
}  // namespace kith
