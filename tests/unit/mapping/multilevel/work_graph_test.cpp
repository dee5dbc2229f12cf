#include "mapping/multilevel/work_graph.hpp"

#include <gtest/gtest.h>

#include <numeric>

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
