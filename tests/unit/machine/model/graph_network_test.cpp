#include "kith/detail/graph_network.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <thread>

#include "unit/test_files.hpp"

namespace kith {
namespace {

using testing::ElementsAre;
using Table = std::vector<std::vector<std::uint64_t>>;

/// Floyd and Warshall's algorithm; of the nodes only.
Table all_distances(const NetworkGraph& graph, bool count_edges) {
  constexpr std::uint64_t far = std::uint64_t{1} << 62;
  Table distance(graph.vertices, std::vector<std::uint64_t>(graph.vertices, far));
  for (std::uint32_t v = 0; v < graph.vertices; ++v) distance[v][v] = 0;
  for (const auto& edge : graph.edges) {
    const std::uint64_t length = count_edges ? 1 : edge.length;
    distance[edge.a][edge.b] = std::min(distance[edge.a][edge.b], length);
    distance[edge.b][edge.a] = distance[edge.a][edge.b];
  }
  for (std::uint32_t k = 0; k < graph.vertices; ++k) {
    for (std::uint32_t i = 0; i < graph.vertices; ++i) {
      for (std::uint32_t j = 0; j < graph.vertices; ++j) {
        distance[i][j] = std::min(distance[i][j], distance[i][k] + distance[k][j]);
      }
    }
  }
  for (auto& row : distance) row.resize(graph.nodes);
  distance.resize(graph.nodes);
  return distance;
}

/// A random tree with some further edges, loops and parallel ones.
NetworkGraph random_graph(std::mt19937_64& random, std::uint64_t longest) {
  NetworkGraph graph;
  graph.nodes = 1 + static_cast<std::uint32_t>(random() % 20);
  graph.vertices = graph.nodes + static_cast<std::uint32_t>(random() % 10);
  const auto any = [&](std::uint32_t below) {
    return static_cast<std::uint32_t>(random() % below);
  };
  for (std::uint32_t v = 1; v < graph.vertices; ++v) {
    graph.edges.push_back({v, any(v), 1 + random() % longest});
  }
  for (std::uint32_t i = any(20); i > 0; --i) {
    graph.edges.push_back({any(graph.vertices), any(graph.vertices), 1 + random() % longest});
  }
  return graph;
}

TEST(GraphNetwork, FindsTheShortestWays) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 200; ++round) {
    NetworkGraph graph = random_graph(random, round % 2 == 0 ? 1 : 9);
    graph.lengths_are_costs = round % 4 == 3;
    const Table sums = all_distances(graph, false);
    const Table edges = all_distances(graph, true);
    // From rows for one node to more than all.
    const GraphNetwork network(graph, "test", random() % (16 * graph.nodes * graph.nodes));
    ASSERT_EQ(network.nodes(), graph.nodes);
    ASSERT_EQ(network.has_costs(), graph.lengths_are_costs);
    std::uint64_t least = UINT64_MAX;
    for (std::uint32_t a = 0; a < graph.nodes; ++a) {
      for (std::uint32_t b = 0; b < graph.nodes; ++b) {
        ASSERT_EQ(network.hops(a, b), (graph.lengths_are_costs ? edges : sums)[a][b]);
        ASSERT_EQ(network.cost(a, b), sums[a][b]);
        if (a != b) least = std::min(least, sums[a][b]);
      }
    }
    ASSERT_EQ(network.lowest_cost(), graph.nodes == 1 ? 0 : least);
  }
}

TEST(GraphNetwork, NearestNodesComeInOrder) {
  std::mt19937_64 random(8);
  for (int round = 0; round < 50; ++round) {
    const NetworkGraph graph = random_graph(random, 9);
    const GraphNetwork network(graph, "test");
    std::vector<std::uint32_t> near{77};
    for (std::uint32_t a = 0; a < graph.nodes; ++a) {
      network.nearest(a, 5, near);
      ASSERT_EQ(near.size(), std::min<std::size_t>(5, graph.nodes - 1));
      std::vector<std::uint64_t> all;
      for (std::uint32_t b = 0; b < graph.nodes; ++b) {
        if (b != a) all.push_back(network.hops(a, b));
      }
      std::ranges::sort(all);
      for (std::size_t i = 0; i < near.size(); ++i) ASSERT_EQ(network.hops(a, near[i]), all[i]);
    }
  }
}

TEST(GraphNetwork, AnswersThreadsAlike) {
  std::mt19937_64 random(9);
  NetworkGraph ring;
  ring.nodes = ring.vertices = 500;
  for (std::uint32_t v = 0; v < 500; ++v) ring.edges.push_back({v, (v + 1) % 500, 1});
  const GraphNetwork network(ring, "test", 20 * 500 * sizeof(std::uint64_t));
  std::vector<int> wrong(4);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([&, t] {
      std::mt19937_64 own(t);
      for (int i = 0; i < 5000; ++i) {
        const auto a = static_cast<std::uint32_t>(own() % 500);
        const auto b = static_cast<std::uint32_t>(own() % 500);
        const std::uint32_t apart = a > b ? a - b : b - a;
        if (network.hops(a, b) != std::min(apart, 500 - apart)) ++wrong[t];
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_THAT(wrong, ElementsAre(0, 0, 0, 0));
}

TEST(GraphNetwork, RefusesWhatIsNoNetwork) {
  const auto refuse = [](NetworkGraph graph, const std::vector<std::string>& parts) {
    expect_error([&] { GraphNetwork(std::move(graph), "net.xml"); }, parts);
  };
  refuse({0, 3, {}}, {"net.xml: ", "at least one node"});
  refuse({3, 2, {}}, {"net.xml: ", "3 nodes, 2 vertices"});
  refuse({2, 3, {{0, 3}}}, {"vertices below 3, found 3"});
  refuse({2, 2, {{0, 1, 0}}}, {"lengths from 1", "found 0"});
  refuse({2, 2, {{0, 1, std::uint64_t{1} << 62}}}, {"lengths from 1"});
  refuse({3, 4, {{0, 3}, {3, 1}}}, {"no way from node 0 to node 2"});
  NetworkGraph free_links{2, 2, {{0, 1, 0}}, true};
  EXPECT_EQ(GraphNetwork(free_links, "test").cost(0, 1), 0U);
  // A router that nothing leads to harms nobody.
  EXPECT_EQ(GraphNetwork({2, 3, {{0, 1}}}, "test").hops(0, 1), 1U);
}

}  // namespace
}  // namespace kith
