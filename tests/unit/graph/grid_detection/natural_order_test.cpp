#include "graph/grid_detection/grid_proposals.hpp"

#include <gmock/gmock.h>

#include "grid_traffic.hpp"
#include "kith/detail/structure.hpp"

namespace kith {
namespace {

using test::Grid;
using test::grid_graph;
using testing::ElementsAreArray;

const std::vector<Grid> grids{
    {{17}, {false}, "3-point"},
    {{6}, {true}, "3-point"},
    {{12}, {false}, "5-point"},
    {{4, 5}, {false, false}, "5-point"},
    {{2, 8}, {false, false}, "5-point"},
    {{8, 5}, {true, false}, "5-point"},
    {{4, 4}, {true, true}, "5-point"},
    {{3, 7}, {true, true}, "9-point"},
    {{7, 9}, {false, true}, "9-point star"},
    {{64, 64, 32}, {false, false, false}, "7-point"},
    {{4, 3, 5}, {true, true, false}, "7-point"},
    {{3, 5, 4}, {false, false, false}, "19-point"},
    {{2, 3, 4}, {false, false, false}, "27-point"},
    {{8, 6, 7}, {true, false, true}, "13-point"},
    {{3, 4, 5, 6}, {false, true, false, true}, "9-point"},
};

TEST(NaturalOrder, GivesTheGridThatTheRanksWereNumberedIn) {
  for (const Grid& grid : grids) {
    const auto found = find_grid_structure(grid_graph(grid));
    ASSERT_TRUE(found) << grid.stencil << " of " << grid.ranks();
    EXPECT_EQ(found->extents, grid.extents) << found->description();
    EXPECT_EQ(found->periodic, grid.periodic) << found->description();
    EXPECT_EQ(found->stencil, grid.stencil);
    EXPECT_EQ(found->explained, 1);
    EXPECT_EQ(found->coordinates.values, RankCoordinates::grid(grid.extents).values);
  }
}

TEST(NaturalOrder, ADimensionWithLittleTrafficIsNotLost) {
  const Grid grid{{16, 16}, {false, false}, "5-point"};
  const auto found = find_grid_structure(
      grid_graph(grid, {}, [](const auto& steps) { return steps[0] == 0 ? 1000000 : 1; }));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->description(), "2D 5-point stencil 16x16, non-periodic");
}

TEST(NaturalOrder, DescriptionNamesPeriodicDimensions) {
  const auto described = [](const Grid& grid) {
    return find_grid_structure(grid_graph(grid))->description();
  };
  EXPECT_EQ(described({{64, 64, 32}, {false, false, false}, "7-point"}),
            "3D 7-point stencil 64x64x32, non-periodic");
  EXPECT_EQ(described({{5, 6}, {true, true}, "9-point"}), "2D 9-point stencil 5x6, periodic");
  EXPECT_EQ(described({{5, 6}, {false, true}, "5-point"}),
            "2D 5-point stencil 5x6, periodic in dimension 2 of 2");
}

}  // namespace
}  // namespace kith
