// Random graphs for tests of the multilevel division, and what a division costs by definition.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "mapping/multilevel/work_graph.hpp"
#include "unit/objective/random_problem.hpp"

namespace kith::testing {

/// Single ranks, weights 1 .. max_weight per direction.
inline multilevel::WorkGraph random_work_graph(std::mt19937_64& random, std::uint32_t ranks,
                                               double density, Weight max_weight) {
  return multilevel::work_graph(
      TrafficGraph::from(random_matrix(random, ranks, density, max_weight)));
}

/// Weight between vertices with different labels.
template <class Label>
std::int64_t cut_of(const multilevel::WorkGraph& graph, const std::vector<Label>& label) {
  std::int64_t cut = 0;
  for (std::uint32_t v = 0; v < graph.vertices(); ++v) {
    for (std::size_t i = 0; i < graph.neighbours_of(v).size(); ++i) {
      const std::uint32_t u = graph.neighbours_of(v)[i];
      if (v < u && label[v] != label[u]) cut += graph.weights_of(v)[i];
    }
  }
  return cut;
}

/// What TwoWay::cost() promises.
inline std::int64_t two_way_cost(const multilevel::WorkGraph& graph,
                                 const std::vector<std::uint8_t>& side) {
  std::int64_t cost = cut_of(graph, side);
  for (std::uint32_t v = 0; v < graph.vertices(); ++v) {
    if (side[v] == 1 && !graph.bias.empty()) cost += graph.bias[v];
  }
  return cost;
}

}  // namespace kith::testing
