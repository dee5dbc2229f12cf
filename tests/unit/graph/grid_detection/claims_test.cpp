// What is said of patterns with and without structure.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "grid_traffic.hpp"
#include "kith/detail/generate.hpp"
#include "kith/detail/structure.hpp"

namespace kith {
namespace {

using test::Grid;
using test::grid_cells;
using test::grid_graph;

/// As `kith info` says it; empty: no grid.
std::string said_of(const TrafficGraph& graph) {
  const auto found = find_any_grid(graph);
  if (!found) return "";
  const GridStructure plain = with_plain_stencil(graph, *found);
  return is_worth_naming(graph, plain) ? plain.description() : "";
}

/// A 5-point halo of 1000 on a 4x4 grid, its corners talk `corner`, and all others `far`.
TrafficGraph halo_and_all_to_all(Weight corner, Weight far) {
  TrafficMatrixBuilder builder(16);
  for (std::uint32_t a = 0; a < 16; ++a) {
    for (std::uint32_t b = 0; b < 16; ++b) {
      if (a == b) continue;
      const auto rows = std::abs(static_cast<int>(a / 4) - static_cast<int>(b / 4));
      const auto columns = std::abs(static_cast<int>(a % 4) - static_cast<int>(b % 4));
      const bool is_corner = rows == 1 && columns == 1;
      builder.add(Rank{a}, Rank{b}, rows + columns == 1 ? 1000 : is_corner ? corner : far);
    }
  }
  return TrafficGraph::from(builder.build());
}

struct Pair {
  std::uint32_t a;
  std::uint32_t b;
  Weight weight = 1000;
};

/// In a random order of the ranks.
TrafficGraph graph_of(std::uint32_t ranks, const std::vector<Pair>& pairs, std::uint64_t seed = 5) {
  const auto label = random_permutation(ranks, seed);
  TrafficMatrixBuilder builder(ranks);
  for (const Pair& pair : pairs) builder.add(Rank{label[pair.a]}, Rank{label[pair.b]}, pair.weight);
  return TrafficGraph::from(builder.build());
}

TrafficGraph graph_of(const Pattern& pattern) {
  return TrafficGraph::from(to_matrix(pattern));
}

/// The pairs of a grid that `keeps` keeps; ranks that `is_land` are taken out.
template <class IsLand, class Keeps>
TrafficGraph with_gaps(const Grid& grid, IsLand is_land, Keeps keeps) {
  const TrafficMatrix whole = grid_cells(grid).build();
  std::vector<std::uint32_t> number(grid.ranks(), 0);
  std::uint32_t ranks = 0;
  for (std::uint32_t r = 0; r < grid.ranks(); ++r) {
    if (!is_land(r)) number[r] = ranks++;
  }
  std::vector<Pair> pairs;
  for (std::uint32_t r = 0; r < grid.ranks(); ++r) {
    for (const Rank other : whole.destinations(Rank{r})) {
      if (is_land(r) || is_land(other.value) || !keeps()) continue;
      pairs.push_back({number[r], number[other.value]});
    }
  }
  return graph_of(ranks, pairs);
}

const auto no_land = [](std::uint32_t) { return false; };
const auto all_pairs = [] { return true; };

TEST(Claims, ASmallAllToAllMakesNoCorners) {
  EXPECT_THAT(said_of(halo_and_all_to_all(2, 2)), testing::StartsWith("2D 5-point stencil 4x4"));
  EXPECT_THAT(said_of(halo_and_all_to_all(60, 2)), testing::StartsWith("2D 9-point stencil 4x4"));
}

TEST(Claims, GridsAreNamed) {
  const auto of = [](const Grid& grid) {
    return said_of(grid_graph(grid, random_permutation(grid.ranks(), 3)));
  };
  EXPECT_EQ(of({{32, 32}, {false, false}, "5-point"}), "2D 5-point stencil 32x32, non-periodic");
  EXPECT_EQ(of({{24, 16}, {true, true}, "5-point"}), "2D 5-point stencil 24x16, periodic");
  EXPECT_EQ(of({{16, 12}, {false, false}, "9-point"}), "2D 9-point stencil 16x12, non-periodic");
  EXPECT_EQ(of({{8, 8, 6}, {false, false, false}, "7-point"}),
            "3D 7-point stencil 8x8x6, non-periodic");
  EXPECT_EQ(of({{6, 6, 6}, {false, false, false}, "27-point"}),
            "3D 27-point stencil 6x6x6, non-periodic");
  EXPECT_EQ(of({{12, 2}, {false, false}, "5-point"}), "2D 5-point stencil 12x2, non-periodic");
  EXPECT_EQ(of({{64}, {true}, "3-point"}), "1D 3-point stencil 64, periodic");
  EXPECT_EQ(of({{64}, {false}, "3-point"}), "1D 3-point stencil 64, non-periodic");
  EXPECT_EQ(of({{5, 5, 5, 3, 3}, {true, true, true, true, true}, "11-point"}),
            "5D 11-point stencil 5x5x5x3x3, periodic");
}

TEST(Claims, FacesOfHalosMayDiffer) {
  // Two planes of 4 x 4 ranks, with `across` from one to the other.
  const auto planes = [](Weight across) {
    std::vector<Pair> pairs;
    for (std::uint32_t r = 0; r < 32; ++r) {
      if (r % 4 < 3) pairs.push_back({r, r + 1});
      if (r % 16 < 12) pairs.push_back({r, r + 4});
      if (r < 16) pairs.push_back({r, r + 16, across});
    }
    return said_of(graph_of(32, pairs));
  };
  const std::string grid = "3D 7-point stencil 4x4x2, non-periodic";
  EXPECT_EQ(planes(5000), grid);
  EXPECT_EQ(planes(200), grid);
  EXPECT_EQ(planes(20000), "");  // pairs that hardly talk to others
}

TEST(Claims, GridsWithGapsAreNamedWithThem) {
  const Grid square{{32, 32}, {false, false}, "5-point"};
  EXPECT_EQ(said_of(with_gaps(
                square, [](std::uint32_t r) { return r == 333; }, all_pairs)),
            "2D 5-point stencil 32x32, non-periodic, 1 rank missing");
  const auto island = [](std::uint32_t r) {
    const int x = static_cast<int>(r / 32) - 14;
    const int y = static_cast<int>(r % 32) - 11;
    return x * x + y * y < 60;
  };
  EXPECT_EQ(said_of(with_gaps(square, island, all_pairs)),
            "2D 5-point stencil 32x32, non-periodic, 185 ranks missing");
  Rng rng(4);
  EXPECT_EQ(said_of(with_gaps(square, no_land, [&] { return rng.below(10) != 0; })),
            "2D 5-point stencil 32x32, non-periodic, 10% of the pairs missing");
  const Grid torus{{10, 8, 6}, {true, true, true}, "7-point"};
  EXPECT_EQ(said_of(with_gaps(torus, no_land, [&] { return rng.below(5) != 0; })),
            "3D 7-point stencil 10x8x6, periodic, 20% of the pairs missing");
}

std::vector<Pair> rings(std::uint32_t count, std::uint32_t length, Weight weight = 1000) {
  std::vector<Pair> pairs;
  for (std::uint32_t r = 0; r < count * length; ++r) {
    pairs.push_back({r, r / length * length + (r + 1) % length, weight});
  }
  return pairs;
}

TEST(Claims, PairsAreNoDimension) {
  std::vector<Pair> thin_ring = rings(1, 16, 1);
  for (std::uint32_t r = 0; r < 16; r += 2) thin_ring.push_back({r, r + 1, 8000});
  EXPECT_EQ(said_of(graph_of(16, thin_ring)), "");
  std::vector<Pair> thin_cube;
  std::vector<Pair> cube;
  std::vector<Pair> pairs;
  for (std::uint32_t r = 0; r < 16; ++r) {
    for (const std::uint32_t bit : {1U, 2U, 4U, 8U}) {
      if ((r & bit) != 0) continue;
      thin_cube.push_back({r, r | bit, bit == 1 ? Weight{100'000} : Weight{100}});
      cube.push_back({r, r | bit});
      if (bit == 1) pairs.push_back({r, r | bit});
    }
  }
  EXPECT_EQ(said_of(graph_of(16, thin_cube)), "");
  EXPECT_EQ(said_of(graph_of(16, pairs)), "");
  EXPECT_EQ(said_of(graph_of(2, {{0, 1}})), "");
  // The same graphs, so the same words.
  EXPECT_EQ(said_of(graph_of(16, cube)), "2D 5-point stencil 4x4, periodic");
  EXPECT_EQ(said_of(graph_of(4, rings(1, 4))), "1D 3-point stencil 4, periodic");
  // All talk to all.
  EXPECT_EQ(said_of(graph_of(4, {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}})), "");
  // Pairs around a ring of eight: a ladder whose rungs outweigh all else.
  std::vector<Pair> ladder;
  for (std::uint32_t r = 0; r < 8; ++r) {
    ladder.push_back({2 * r, 2 * r + 1, 90'000});
    for (const std::uint32_t side : {0U, 1U}) {
      ladder.push_back({2 * r + side, 2 * ((r + 1) % 8) + side, 100});
    }
  }
  EXPECT_EQ(said_of(graph_of(16, ladder)), "");
}

TEST(Claims, WhatIsNoGridIsNotNamed) {
  std::vector<Pair> tree;
  std::vector<Pair> star;
  std::vector<Pair> de_bruijn;
  std::vector<Pair> cliques;
  std::vector<Pair> random;
  Rng rng(7);
  for (std::uint32_t r = 1; r < 127; ++r) tree.push_back({r, (r - 1) / 2});
  for (std::uint32_t r = 1; r < 64; ++r) star.push_back({r, 0});
  for (std::uint32_t r = 0; r < 256; ++r) {
    for (const std::uint32_t bit : {0U, 1U}) {
      const std::uint32_t next = (2 * r + bit) % 256;
      if (next != r) de_bruijn.push_back({r, next});
    }
    for (int i = 0; i < 3; ++i) {
      const auto other = static_cast<std::uint32_t>(rng.below(256));
      if (other != r) random.push_back({r, other});
    }
  }
  for (std::uint32_t r = 0; r < 64; ++r) {
    for (std::uint32_t other = r + 1; other < (r / 8 + 1) * 8; ++other) {
      cliques.push_back({r, other});
    }
  }
  EXPECT_EQ(said_of(graph_of(127, tree)), "");
  EXPECT_EQ(said_of(graph_of(64, star)), "");
  EXPECT_EQ(said_of(graph_of(256, de_bruijn)), "");
  EXPECT_EQ(said_of(graph_of(256, random)), "");
  EXPECT_EQ(said_of(graph_of(64, cliques)), "");
  EXPECT_EQ(said_of(graph_of(96, rings(12, 8))), "");
  EXPECT_EQ(said_of(graph_of(*make_alltoall(64, 9))), "");
  EXPECT_EQ(said_of(graph_of(*make_geometric(1000, 1))), "");
  EXPECT_EQ(said_of(graph_of(*make_rmat(10, 8192, 1))), "");
  EXPECT_EQ(said_of(graph_of(*make_cg(256, 5))), "");
}

TEST(Claims, SeparateGridsAreNotOne) {
  const TrafficMatrix whole = grid_cells({{12, 12}, {false, false}, "5-point"}).build();
  for (const std::uint32_t parts : {2U, 4U}) {
    std::vector<Pair> pairs;
    for (std::uint32_t r = 0; r < 144; ++r) {
      for (const Rank other : whole.destinations(Rank{r})) {
        for (std::uint32_t p = 0; p < parts; ++p) {
          pairs.push_back({144 * p + r, 144 * p + other.value});
        }
      }
    }
    EXPECT_EQ(said_of(graph_of(144 * parts, pairs)), "") << parts;
  }
}

TEST(Claims, NoGridIsNamedWhereManyPairsJustMissIt) {
  // Half of a square has slipped by one row: no noise, another structure.
  std::vector<Pair> pairs;
  for (std::uint32_t x = 0; x < 16; ++x) {
    for (std::uint32_t y = 0; y < 16; ++y) {
      const std::uint32_t here = 16 * x + y;
      if (y < 15) pairs.push_back({here, here + 1});
      if (x < 15 && x != 7) pairs.push_back({here, here + 16});
      if (x == 7) pairs.push_back({here, 16 * 8 + (y + 1) % 16});
    }
  }
  const std::string said = said_of(graph_of(256, pairs));
  EXPECT_EQ(said.find("16x16"), std::string::npos) << said;
}

}  // namespace
}  // namespace kith
