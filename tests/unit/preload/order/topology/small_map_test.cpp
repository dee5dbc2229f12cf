#include "order/topology/small_map.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>

namespace kith::preload {
namespace {

using ::testing::ElementsAre;

/// Weight between hosts when the process of rank r becomes vertex new_rank[r].
std::int64_t cut_of(const SmallGraph& graph, const std::vector<std::int32_t>& hosts,
                    const std::vector<std::int32_t>& new_rank) {
  std::int64_t cut = 0;
  for (std::size_t r = 0; r < hosts.size(); ++r) {
    for (std::size_t s = r + 1; s < hosts.size(); ++s) {
      if (hosts[r] != hosts[s]) cut += graph.weight(new_rank[r], new_rank[s]);
    }
  }
  return cut;
}

std::int64_t least_cut(const SmallGraph& graph, const std::vector<std::int32_t>& hosts) {
  std::vector<std::int32_t> order(hosts.size());
  std::iota(order.begin(), order.end(), 0);
  std::int64_t least = cut_of(graph, hosts, order);
  while (std::ranges::next_permutation(order).found) {
    least = std::min(least, cut_of(graph, hosts, order));
  }
  return least;
}

TEST(MapSmall, FindsWhatAllOrdersHave) {
  const std::vector<std::int32_t> hosts{5, 5, 0, 0, 7, 7, 7, 0};
  std::uint64_t state = 3;
  for (int round = 0; round < 10; ++round) {
    SmallGraph graph(8);
    for (int edge = 0; edge < 14; ++edge) {
      state = state * 6364136223846793005ULL + 1442695040888963407ULL;
      graph.add(static_cast<int>((state >> 40) % 8), static_cast<int>((state >> 50) % 8),
                static_cast<std::int64_t>((state >> 33) % 9));
    }
    const SmallMap map = map_small(graph, hosts);
    EXPECT_EQ(map.after, least_cut(graph, hosts));
    EXPECT_EQ(map.after, cut_of(graph, hosts, map.new_rank));
    EXPECT_EQ(map.before, cut_of(graph, hosts, {0, 1, 2, 3, 4, 5, 6, 7}));
  }
}

TEST(MapSmall, CutsGridsLikeBlocks) {
  for (const int dealt : {0, 1}) {
    std::vector<std::int32_t> hosts;
    for (int r = 0; r < 64; ++r) hosts.push_back(dealt == 0 ? r % 8 : r / 8);
    SmallGraph graph(64);
    graph.add(CartesianTopology{{4, 4, 4}, {false, false, false}, {}});
    EXPECT_EQ(map_small(graph, hosts).after, 3 * 16) << "eight cubes of eight";
  }
}

TEST(MapSmall, KeepsWhatLiesWell) {
  SmallGraph graph(4);
  graph.add(0, 1, 5);
  graph.add(2, 3, 5);
  const std::vector<std::int32_t> hosts{1, 1, 2, 2};
  EXPECT_THAT(map_small(graph, hosts).new_rank, ElementsAre(0, 1, 2, 3));
  const SmallMap none = map_small(SmallGraph(4), hosts);
  EXPECT_EQ(none.after, 0);
  EXPECT_THAT(none.new_rank, ElementsAre(0, 1, 2, 3));
}

TEST(MapSmall, CountsBothWaysOfAPeriod) {
  SmallGraph graph(6);
  graph.add(CartesianTopology{{2, 3}, {true, true}, {}});
  EXPECT_EQ(graph.weight(0, 3), 2) << "two places with a period are neighbours twice";
  EXPECT_EQ(graph.weight(0, 2), 1);
  EXPECT_EQ(graph.weight(0, 4), 0);
}

}  // namespace
}  // namespace kith::preload
