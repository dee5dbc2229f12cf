#include "order/topology/small_map.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>

namespace kith::preload {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::int32_t> by_slot(int ranks, int width) {
  std::vector<std::int32_t> hosts;
  for (int r = 0; r < ranks; ++r) hosts.push_back(r / width * width);
  return hosts;
}

std::vector<std::int32_t> by_node(int ranks, int width) {
  std::vector<std::int32_t> hosts;
  for (int r = 0; r < ranks; ++r) hosts.push_back(r % (ranks / width));
  return hosts;
}

/// Neighbours of grid places that are on two hosts, counted from coordinates.
int cut_of(const CartesianTopology& grid, const std::vector<std::int32_t>& takes,
           const std::vector<std::int32_t>& hosts) {
  int cut = 0;
  int stride = 1;
  for (std::size_t d = grid.dims.size(); d-- > 0;) {
    const int extent = static_cast<int>(grid.dims[d]);
    for (std::size_t v = 0; v < takes.size(); ++v) {
      const int place = static_cast<int>(v) / stride % extent;
      int next = static_cast<int>(v) + stride;
      if (place + 1 == extent) {
        if (!grid.periods[d] || extent == 1) continue;
        next = static_cast<int>(v) - place * stride;
      }
      const auto host = [&](std::size_t vertex) {
        return hosts[static_cast<std::size_t>(takes[vertex])];
      };
      if (host(v) != host(static_cast<std::size_t>(next))) ++cut;
    }
    stride *= extent;
  }
  return cut;
}

void expect_each_once(std::vector<std::int32_t> takes, int ranks) {
  std::sort(takes.begin(), takes.end());
  EXPECT_EQ(std::adjacent_find(takes.begin(), takes.end()), takes.end());
  EXPECT_GE(takes.front(), 0);
  EXPECT_LT(takes.back(), ranks);
}

TEST(MapGrid, CutsBlocksOfAHostsSize) {
  const CartesianTopology square{{4, 4}, {false, false}, {}};
  for (const auto& hosts : {by_slot(16, 4), by_node(16, 4)}) {
    const auto takes = map_grid(square, hosts, 0);
    ASSERT_EQ(takes.size(), 16U);
    expect_each_once(takes, 16);
    EXPECT_EQ(cut_of(square, takes, hosts), 8);  // 2 x 2 blocks
  }
  const CartesianTopology box{{2, 2, 4}, {true, false, true}, {}};
  const auto takes = map_grid(box, by_slot(16, 4), 0);
  EXPECT_EQ(cut_of(box, takes, by_slot(16, 4)), 16);  // planes of 2 x 2 along the ring of 4
}

TEST(MapGrid, LeavesTheBestOrderAlone) {
  EXPECT_THAT(map_grid({{16}, {true}, {}}, by_slot(16, 4), 0), IsEmpty());
  EXPECT_THAT(map_grid({{4, 4}, {false, false}, {}}, by_slot(16, 16), 0), IsEmpty());
  EXPECT_THAT(map_grid({{4, 4}, {false, false}, {}}, by_slot(16, 1), 0), IsEmpty());
}

TEST(MapGrid, AsksForTheLeastGain) {
  const CartesianTopology square{{4, 4}, {false, false}, {}};
  EXPECT_EQ(cut_of(square, map_grid(square, by_slot(16, 4), 0.3), by_slot(16, 4)), 8);  // of 12
  EXPECT_THAT(map_grid(square, by_slot(16, 4), 0.4), IsEmpty());
}

TEST(MapGrid, TakesWholeHostsWhereThereAreMoreRanks) {
  // rank 0 is alone on its host: the line of four goes to the others
  EXPECT_THAT(map_grid({{4}, {false}, {}}, std::vector<std::int32_t>{0, 1, 3, 1, 3, 1, 3}, 0),
              ElementsAre(1, 3, 5, 2));
}

TEST(MapGrid, HostsOfDifferentSizes) {
  const CartesianTopology grid{{3, 5}, {true, true}, {}};
  const std::vector<std::int32_t> hosts{0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 0, 1, 0, 1};
  std::vector<std::int32_t> present(15);
  std::iota(present.begin(), present.end(), 0);
  const auto takes = map_grid(grid, hosts, 0);
  ASSERT_EQ(takes.size(), 15U);
  expect_each_once(takes, 15);
  EXPECT_LT(cut_of(grid, takes, hosts), cut_of(grid, present, hosts));
}

TEST(MapGraph, KeepsCliquesTogether) {
  // four cliques of four, dealt out over the vertices
  std::vector<int> index;
  std::vector<int> edges;
  for (int v = 0; v < 16; ++v) {
    for (int w = 0; w < 16; ++w) {
      if (w != v && w % 4 == v % 4) edges.push_back(w);
    }
    index.push_back(static_cast<int>(edges.size()));
  }
  const auto hosts = by_slot(16, 4);
  const auto takes = map_graph(index, edges, hosts, 0);
  ASSERT_EQ(takes.size(), 16U);
  expect_each_once(takes, 16);
  for (std::size_t v = 4; v < 16; ++v) {
    EXPECT_EQ(hosts[static_cast<std::size_t>(takes[v])],
              hosts[static_cast<std::size_t>(takes[v - 4])]);
  }
  EXPECT_THAT(map_graph(index, edges, by_node(16, 4), 0), IsEmpty());  // as it is best
}

}  // namespace
}  // namespace kith::preload
