// Grids in traffic that is more or less than theirs.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <iostream>
#include <vector>

#include "graph/grid_detection/distance_axes.hpp"
#include "grid_traffic.hpp"
#include "kith/detail/structure.hpp"

namespace kith {
namespace {

using test::add_strays;
using test::Grid;
using test::grid_cells;
using test::grid_graph;
using test::name;

/// What programs send beside their halos: reductions and barriers over all ranks, and odd messages.
void add_collectives(TrafficMatrixBuilder& builder, std::uint32_t ranks, Weight weight) {
  for (std::uint32_t r = 0; r < ranks; ++r) {
    for (std::uint32_t step = 1; step < ranks; step *= 2) {
      builder.add(Rank{r}, Rank{(r + step) % ranks}, weight);
      if ((r ^ step) < ranks) builder.add(Rank{r}, Rank{r ^ step}, weight);
    }
  }
}

const std::vector<Grid> usual_grids{
    {{16, 12}, {false, false}, "5-point"},
    {{16, 12}, {true, true}, "9-point"},
    {{8, 7, 6}, {false, false, false}, "7-point"},
    {{8, 7, 6}, {true, true, true}, "13-point"},
    {{8, 7, 6}, {false, true, false}, "27-point"},
    {{5, 4, 4, 3}, {false, true, true, false}, "9-point"},
    {{16, 12}, {true, false}, "9-point star"},
};

TEST(DamagedGrid, SmallCollectivesAndStraysAreSeenThrough) {
  for (const Grid& grid : usual_grids) {
    for (const bool shuffled : {false, true}) {
      std::vector<std::uint32_t> label;
      if (shuffled) label = random_permutation(grid.ranks(), 5);
      auto cells = grid_cells(grid, label);
      add_collectives(cells, grid.ranks(), 8);
      add_strays(cells, grid.ranks(), grid.ranks(), 20);
      const auto found = find_grid_structure(TrafficGraph::from(cells.build()));
      ASSERT_TRUE(found) << name(grid) << shuffled;
      EXPECT_EQ(found->extents, grid.extents) << found->description();
      EXPECT_EQ(found->periodic, grid.periodic) << found->description();
      EXPECT_EQ(found->stencil, grid.stencil);
      EXPECT_GT(found->explained, 0.8);
      EXPECT_LT(found->explained, 1);
    }
  }
}

/// Without one pair in 200, weights between 1 and 3 to each other, a stray pair per 100 ranks.
TrafficGraph damaged(const Grid& grid, std::uint64_t seed) {
  Rng rng(seed);
  const TrafficMatrix whole = grid_cells(grid, random_permutation(grid.ranks(), seed)).build();
  TrafficMatrixBuilder cells(grid.ranks());
  for (std::uint32_t r = 0; r < grid.ranks(); ++r) {
    for (const Rank other : whole.destinations(Rank{r})) {
      if (rng.below(200) != 0) cells.add(Rank{r}, other, 500 + rng.below(1000));
    }
  }
  add_strays(cells, grid.ranks(), grid.ranks() / 100, 1000);
  return TrafficGraph::from(cells.build());
}

TEST(DamagedGrid, AFewPairsMoreOrLessRarelyHideTheGrid) {
  for (const Grid& grid : usual_grids) {
    int found = 0;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      const auto structure = find_grid_structure(damaged(grid, seed));
      found +=
          structure && structure->extents == grid.extents && structure->stencil == grid.stencil;
    }
    std::cout << name(grid) << ", a few pairs more or less: found " << found << " of 10\n";
    const bool hard = grid.stencil == "5-point" || grid.stencil == "27-point";
    EXPECT_GE(found, hard ? 2 : 8) << name(grid);
  }
}

/// One pair in `one_in` does not talk; light strays, one per 10 ranks.
TrafficGraph with_gaps(const Grid& grid, std::uint64_t one_in, std::uint64_t seed) {
  Rng rng(seed);
  const TrafficMatrix whole = grid_cells(grid, random_permutation(grid.ranks(), seed)).build();
  TrafficMatrixBuilder cells(grid.ranks());
  for (std::uint32_t r = 0; r < grid.ranks(); ++r) {
    for (const Rank other : whole.destinations(Rank{r})) {
      if (rng.below(one_in) != 0) cells.add(Rank{r}, other, 700 + rng.below(600));
    }
  }
  add_strays(cells, grid.ranks(), grid.ranks() / 10, 20);
  return TrafficGraph::from(cells.build());
}

TEST(DamagedGrid, GapsDoNotHideAGridOfFaces) {
  const Grid grids[] = {{{40, 25}, {false, false}, "5-point"},
                        {{64, 64}, {false, false}, "5-point"},
                        {{16, 12, 10}, {false, false, false}, "7-point"}};
  for (const Grid& grid : grids) {
    int found = 0;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      const auto structure = find_grid_structure(with_gaps(grid, 40, seed));
      found += structure && structure->extents == grid.extents &&
               structure->stencil == grid.stencil && structure->explained > 0.95;
    }
    EXPECT_GE(found, 8) << name(grid);
  }
}

/// So many pairs in a hundred do not talk, in either direction.
TrafficGraph without_pairs(const Grid& grid, std::uint64_t percent, std::uint64_t seed) {
  Rng rng(seed);
  const TrafficGraph whole = grid_graph(grid, random_permutation(grid.ranks(), seed));
  TrafficMatrixBuilder cells(grid.ranks());
  for (Rank r(0); r.value < grid.ranks(); ++r) {
    for (const Rank other : whole.neighbours(r)) {
      if (r < other && rng.below(100) >= percent) cells.add(r, other, 1000);
    }
  }
  return TrafficGraph::from(cells.build());
}

TEST(DamagedGrid, ManyMissingPairsSeldomHideAGridOfFaces) {
  struct Case {
    Grid grid;
    std::uint64_t percent;
    double explained;
    int least;  ///< of 10
  };
  const Case cases[] = {{{{30, 24}, {false, false}, "5-point"}, 17, 0.985, 8},
                        {{{37, 31}, {false, false}, "5-point"}, 20, 0.985, 9},
                        {{{39, 36}, {true, true}, "5-point"}, 20, 0.985, 9},
                        {{{32, 20}, {false, false}, "5-point"}, 30, 0.95, 7},
                        {{{40, 33}, {false, false}, "5-point"}, 30, 0.95, 8},
                        {{{40, 33}, {true, true}, "5-point"}, 30, 0.95, 9}};
  for (const auto& [grid, percent, explained, least] : cases) {
    int found = 0;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      const auto structure = find_any_grid(without_pairs(grid, percent, seed));
      found += structure && structure->extents == grid.extents && structure->explained > explained;
    }
    std::cout << name(grid) << ", " << percent << "% of the pairs missing: found " << found
              << " of 10\n";
    EXPECT_GE(found, least) << name(grid);
  }
}

/// Six of the eight among 240 such grids in which a line and its bend look like a ring.
TEST(DamagedGrid, ALineThatBendsIsNoRing) {
  struct Case {
    std::vector<std::uint32_t> extents;
    std::uint64_t seed;
  };
  const Case cases[] = {{{32, 20}, 21}, {{32, 20}, 24}, {{32, 20}, 47},
                        {{28, 23}, 5},  {{41, 22}, 40}, {{41, 22}, 58}};
  const std::function<bool()> never;
  const StopCheck stop(never);
  for (const auto& [extents, seed] : cases) {
    const TrafficGraph graph = without_pairs({extents, {false, false}, "5-point"}, 30, seed);
    for (const DistanceAxis& axis : find_distance_axes(NeighbourLists(graph, 1, stop), 2, stop)) {
      EXPECT_FALSE(axis.is_ring) << extents[0] << "x" << extents[1] << ", seed " << seed;
    }
  }
}

TEST(DamagedGrid, ARankThatIsSilentIsPutWhereOneIsMissing) {
  const Grid grid{{20, 15}, {false, false}, "5-point"};
  const TrafficMatrix whole = grid_cells(grid, random_permutation(grid.ranks(), 3)).build();
  TrafficMatrixBuilder cells(grid.ranks());
  for (std::uint32_t r = 0; r < grid.ranks(); ++r) {
    for (const Rank other : whole.destinations(Rank{r})) {
      if (r != 77 && other != Rank{77}) cells.add(Rank{r}, other, 1000);
    }
  }
  const auto found = find_grid_structure(TrafficGraph::from(cells.build()));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->extents, grid.extents);
  EXPECT_EQ(found->explained, 1);
}

/// Long-range pairs as heavy as all others, one to `one_in` of the grid's.
TrafficGraph with_far_pairs(const Grid& grid, std::uint64_t one_in, std::uint64_t seed) {
  Rng rng(seed);
  TrafficMatrixBuilder cells = grid_cells(grid, random_permutation(grid.ranks(), seed));
  const std::uint64_t pairs = grid_graph(grid).edges();
  for (std::uint64_t i = 0; i < pairs / one_in; ++i) {
    const Rank from{static_cast<std::uint32_t>(rng.below(grid.ranks()))};
    cells.add(from, Rank{static_cast<std::uint32_t>(rng.below(grid.ranks()))}, 1000);
  }
  return TrafficGraph::from(cells.build());
}

TEST(DamagedGrid, FarPairsRarelyHideIt) {
  struct Case {
    Grid grid;
    std::uint64_t one_in;
  };
  const Case cases[] = {{{{40, 25}, {false, false}, "5-point"}, 33},
                        {{{64, 64}, {false, false}, "5-point"}, 33},
                        {{{16, 12, 10}, {false, false, false}, "7-point"}, 200}};
  for (const auto& [grid, one_in] : cases) {
    int found = 0;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      const auto structure = find_grid_structure(with_far_pairs(grid, one_in, seed));
      found += structure && structure->extents == grid.extents && structure->explained > 0.95;
    }
    std::cout << name(grid) << ", far pairs: found " << found << " of 10\n";
    EXPECT_GE(found, 6) << name(grid);
  }
}

}  // namespace
}  // namespace kith
