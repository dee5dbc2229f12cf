#include "mapping/multilevel/work_graph.hpp"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <vector>

#include "unit/mapping/multilevel/random_work_graph.hpp"

namespace kith::multilevel {
namespace {

TEST(WorkGraph, FitsTheHeaviestWeightsInto62Bits) {
  TrafficMatrixBuilder builder(4);
  builder.add(Rank(0), Rank(1), ~Weight{0});
  builder.add(Rank(1), Rank(2), ~Weight{0} / 2);
  builder.add(Rank(2), Rank(3), 1);
  const WorkGraph graph = work_graph(TrafficGraph::from(builder.build()));
  const std::uint64_t all = std::accumulate(
      graph.weights.begin(), graph.weights.end(), std::uint64_t{0},
      [](std::uint64_t sum, std::int64_t w) { return sum + static_cast<std::uint64_t>(w); });
  EXPECT_LT(all, std::uint64_t{1} << 62);
  EXPECT_NEAR(static_cast<double>(graph.weights_of(0)[0]),
              2.0 * static_cast<double>(graph.weights_of(2)[0]), 2);
  EXPECT_EQ(graph.weights_of(3)[0], 1);  // light pairs are not lost
}

TEST(WorkGraph, BreadthFirstNumbersNeighboursNearEachOther) {
  TrafficMatrixBuilder builder(9);  // a path in a mixed order, one rank alone, and a pair
  const std::vector<std::uint32_t> path = {2, 7, 0, 5, 3, 8};
  for (std::size_t i = 1; i < path.size(); ++i) {
    builder.add(Rank(path[i - 1]), Rank(path[i]), 10 * i);
  }
  builder.add(Rank(4), Rank(6), 1);
  const TrafficGraph graph = TrafficGraph::from(builder.build());
  const std::vector<std::uint32_t> order = breadth_first(graph);
  EXPECT_EQ(order, (std::vector<std::uint32_t>{0, 5, 7, 3, 2, 8, 1, 4, 6}));

  // The same graph under these numbers.
  const WorkGraph as_given = work_graph(graph);
  const WorkGraph renumbered = work_graph(graph, order);
  for (std::uint32_t v = 0; v < order.size(); ++v) {
    std::map<std::uint32_t, std::int64_t> expected;
    std::map<std::uint32_t, std::int64_t> found;
    for (std::size_t e = 0; e < as_given.neighbours_of(order[v]).size(); ++e) {
      expected[as_given.neighbours_of(order[v])[e]] = as_given.weights_of(order[v])[e];
    }
    for (std::size_t e = 0; e < renumbered.neighbours_of(v).size(); ++e) {
      found[order[renumbered.neighbours_of(v)[e]]] = renumbered.weights_of(v)[e];
    }
    EXPECT_EQ(found, expected) << v;
  }
}

TEST(WorkGraph, InducedKeepsWhatIsInside) {
  std::mt19937_64 random(16);
  const WorkGraph graph = testing::random_work_graph(random, 50, 0.2, 100);
  std::vector<std::uint32_t> vertices = {40, 3, 17, 8, 29, 11};
  std::vector<std::uint32_t> place(50, outside);
  const WorkGraph part = induced(graph, vertices, place);
  EXPECT_EQ(place, std::vector<std::uint32_t>(50, outside));
  std::vector<std::uint8_t> inside(50);
  for (const std::uint32_t v : vertices) inside[v] = 1;
  for (std::uint32_t i = 0; i < vertices.size(); ++i) {
    std::size_t next = 0;
    for (std::size_t e = 0; e < graph.neighbours_of(vertices[i]).size(); ++e) {
      const std::uint32_t u = graph.neighbours_of(vertices[i])[e];
      if (inside[u] == 0) continue;
      ASSERT_LT(next, part.neighbours_of(i).size());
      EXPECT_EQ(vertices[part.neighbours_of(i)[next]], u);
      EXPECT_EQ(part.weights_of(i)[next], graph.weights_of(vertices[i])[e]);
      ++next;
    }
    EXPECT_EQ(part.neighbours_of(i).size(), next);
  }
}

}  // namespace
}  // namespace kith::multilevel
