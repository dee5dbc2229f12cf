#include <gmock/gmock.h>

#include <cctype>
#include <chrono>
#include <cmath>
#include <iostream>

#include "grid_traffic.hpp"
#include "kith/detail/generate.hpp"
#include "kith/detail/structure.hpp"

namespace kith {
namespace {

using test::Grid;
using test::grid_graph;
using test::name;

/// The grid's own pairs and no others talk: counted again, from the coordinates given.
bool fits(const GridStructure& found, const TrafficGraph& graph) {
  std::uint64_t pairs = 0;
  for (std::uint32_t a = 0; a < graph.ranks(); ++a) {
    for (const Rank b : graph.neighbours(Rank{a})) {
      std::vector<int> steps;
      for (std::size_t d = 0; d < found.extents.size(); ++d) {
        const int extent = static_cast<int>(found.extents[d]);
        int step = static_cast<int>(found.coordinates.of(b.value)[d]) -
                   static_cast<int>(found.coordinates.of(a)[d]);
        if (found.periodic[d] && 2 * std::abs(step) > extent) step += step < 0 ? extent : -extent;
        steps.push_back(step);
      }
      if (!test::in_stencil(found.stencil, steps)) return false;
      ++pairs;
    }
  }
  const Grid grid{found.extents, found.periodic, found.stencil};
  return pairs == 2 * grid_graph(grid).edges();
}

bool all_talk(const TrafficGraph& graph) {
  return graph.edges() == std::uint64_t{graph.ranks()} * (graph.ranks() - 1) / 2;
}

/// Every grid of 2 .. `most` points along each dimension, extents ascending, of at most 300 ranks.
std::vector<Grid> all_grids(const std::string& stencil, std::size_t dimensions, std::uint32_t least,
                            std::uint32_t most) {
  std::vector<Grid> grids;
  std::vector<std::uint32_t> extents(dimensions, least);
  for (;;) {
    for (unsigned rings = 0; rings < 1U << dimensions; ++rings) {
      Grid grid{extents, {}, stencil};
      bool sensible = grid.ranks() >= 3 && grid.ranks() <= 300;
      for (std::size_t d = 0; d < dimensions; ++d) {
        grid.periodic.push_back((rings >> d & 1) != 0);
        sensible &= !grid.periodic[d] || extents[d] > 2;
      }
      if (sensible) grids.push_back(grid);
    }
    std::size_t d = dimensions;
    while (d-- > 0 && extents[d] == most) {
    }
    if (d >= dimensions) return grids;
    const std::uint32_t next = extents[d] + 1;
    for (; d < dimensions; ++d) extents[d] = next;
  }
}

struct Family {
  std::string stencil;
  std::size_t dimensions;
  std::uint32_t least;
  std::uint32_t most;
};

class AnyOrder : public testing::TestWithParam<Family> {};

TEST_P(AnyOrder, EverySmallGridIsFound) {
  const Family& family = GetParam();
  std::uint64_t seed = 1;
  for (const Grid& grid : all_grids(family.stencil, family.dimensions, family.least, family.most)) {
    const TrafficGraph graph = grid_graph(grid, random_permutation(grid.ranks(), seed++));
    if (all_talk(graph)) continue;
    const auto found = find_grid_structure(graph);
    ASSERT_TRUE(found) << name(grid);
    EXPECT_EQ(found->explained, 1) << name(grid) << " as " << found->description();
    EXPECT_TRUE(fits(*found, graph)) << name(grid) << " as " << found->description();
  }
}

INSTANTIATE_TEST_SUITE_P(
    Stencils, AnyOrder,
    testing::Values(Family{"3-point", 1, 3, 40}, Family{"5-point", 1, 3, 40},
                    Family{"5-point", 2, 2, 10}, Family{"9-point", 2, 2, 10},
                    Family{"9-point star", 2, 2, 10}, Family{"7-point", 3, 2, 6},
                    Family{"19-point", 3, 4, 6}, Family{"27-point", 3, 2, 6},
                    Family{"13-point", 3, 2, 6}, Family{"9-point", 4, 2, 4},
                    Family{"81-point", 4, 2, 4}, Family{"17-point", 4, 2, 4}),
    [](const auto& family) {
      std::string text = std::to_string(family.param.dimensions) + "D" + family.param.stencil;
      std::erase_if(text, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); });
      return text;
    });

TEST(FindGridStructure, TheAnswerDoesNotDependOnTheOrder) {
  const Grid grid{{9, 7, 5}, {false, true, false}, "7-point"};
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto found =
        find_grid_structure(grid_graph(grid, random_permutation(grid.ranks(), seed)));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->description(), "3D 7-point stencil 9x7x5, periodic in dimension 2 of 3");
  }
}

TEST(FindGridStructure, TwosAreJoinedToRingsWhereProgramsWould) {
  const auto described = [](const Grid& grid, const test::WeightOf& weight = test::alike) {
    const auto label = random_permutation(grid.ranks(), 7);
    return find_grid_structure(grid_graph(grid, label, weight))->description();
  };
  EXPECT_EQ(described({{2, 2, 2}, {false, false, false}, "7-point"}),
            "3D 7-point stencil 2x2x2, non-periodic");
  EXPECT_EQ(described({{4, 4}, {true, true}, "5-point"}), "2D 5-point stencil 4x4, periodic");
  EXPECT_EQ(described({{4, 4, 4}, {true, true, true}, "7-point"}),
            "3D 7-point stencil 4x4x4, periodic");
  EXPECT_EQ(described({{8, 4}, {true, true}, "5-point"}), "2D 5-point stencil 8x4, periodic");
  const auto unequal = [](const auto& steps) -> Weight {
    return steps[0] != 0 ? 5700 : steps[1] != 0 ? 2400 : 1800;
  };
  EXPECT_EQ(described({{2, 4, 2}, {false, true, false}, "7-point"}, unequal),
            "3D 7-point stencil 4x2x2, periodic in dimension 1 of 3");
}

TEST(FindGridStructure, DimensionsAndClassesMayDifferInWeight) {
  const auto heavy_faces = [](const std::vector<int>& steps) -> Weight {
    int axes = 0;
    for (const int step : steps) axes += step != 0;
    return axes == 1 ? 1000000 : axes == 2 ? 3000 : 10;
  };
  const auto one_light = [](const std::vector<int>& steps) -> Weight {
    return steps[0] != 0 ? 5 : 100000;
  };
  for (const auto& [grid, weight] : {
           std::pair<Grid, test::WeightOf>{{{6, 5, 2}, {false, false, false}, "27-point"},
                                           heavy_faces},
           {{{2, 2, 2}, {false, false, false}, "27-point"}, heavy_faces},
           {{{3, 3}, {true, true}, "9-point"}, heavy_faces},
           {{{6, 3, 2}, {false, true, false}, "19-point"}, heavy_faces},
           {{{9, 8, 7}, {false, false, false}, "7-point"}, one_light},
           {{{9, 8}, {true, false}, "9-point star"}, one_light},
       }) {
    const auto found =
        find_grid_structure(grid_graph(grid, random_permutation(grid.ranks(), 9), weight));
    ASSERT_TRUE(found) << name(grid);
    EXPECT_EQ(found->extents, grid.extents) << found->description();
    EXPECT_EQ(found->periodic, grid.periodic) << found->description();
    EXPECT_EQ(found->stencil, grid.stencil);
    EXPECT_EQ(found->explained, 1);
  }
}

TEST(FindGridStructure, APairIsARowOfTwo) {
  TrafficMatrixBuilder pair(2);
  pair.add(Rank{1}, Rank{0}, 5);
  const auto found = find_grid_structure(TrafficGraph::from(pair.build()));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->description(), "1D 3-point stencil 2, non-periodic");
  EXPECT_EQ(found->explained, 1);
  EXPECT_NE(found->coordinates.of(0)[0], found->coordinates.of(1)[0]);
}

TEST(FindGridStructure, ALargeGridTakesSeconds) {
  for (const bool grid : {true, false}) {
    const auto pattern = grid ? make_permuted(make_stencil({64, 64, 32}, 7, false, {1000}), 3)
                              : make_geometric(131072, 1);
    const auto graph = TrafficGraph::from(to_matrix(*pattern));
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_EQ(find_grid_structure(graph).has_value(), grid);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    std::cout << "131072 ranks, " << (grid ? "a grid" : "none") << ": " << took.count() << " s\n";
  }
}

TEST(FindGridStructure, EndsWhenTheSearchIsOver) {
  const std::vector<std::uint32_t> label = random_permutation(64 * 64, 1);
  for (const bool shuffled : {false, true}) {
    const Grid grid{{64, 64}, {false, false}, "9-point"};
    const auto graph = grid_graph(grid, shuffled ? label : std::vector<std::uint32_t>{});
    std::uint32_t questions = 0;
    ASSERT_TRUE(find_grid_structure(graph, [&] { return ++questions == 0; }));
    EXPECT_GE(questions, shuffled ? 6U : 3U);
    for (std::uint32_t last = 1; last <= questions; ++last) {
      std::uint32_t asked = 0;
      EXPECT_FALSE(find_grid_structure(graph, [&] { return ++asked == last; })) << last;
      EXPECT_EQ(asked, last);  // and nobody goes on
    }
  }
}

}  // namespace
}  // namespace kith
