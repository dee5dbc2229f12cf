#include "mapping/element_graph.hpp"

#include <utility>

namespace kith {

ElementGraph elements_of(const TrafficGraph& graph) {
  ElementGraph elements;
  elements.offsets.assign(graph.offsets().begin(), graph.offsets().end());
  elements.neighbours.reserve(graph.all_neighbours().size());
  for (const Rank r : graph.all_neighbours()) elements.neighbours.push_back(r.value);
  elements.weights.assign(graph.all_weights().begin(), graph.all_weights().end());
  return elements;
}

ElementGraph communication_between(const ElementGraph& graph, const Groups& groups) {
  std::vector<std::uint32_t> group_of(graph.size());
  for (std::uint32_t g = 0; g < groups.size(); ++g) {
    for (const std::uint32_t element : groups.of(g)) group_of[element] = g;
  }
  ElementGraph coarse;
  std::vector<Weight> sum(groups.size());
  std::vector<std::uint32_t> reached;
  for (std::uint32_t g = 0; g < groups.size(); ++g) {
    for (const std::uint32_t element : groups.of(g)) {
      for (std::uint64_t e = graph.offsets[element]; e < graph.offsets[element + 1]; ++e) {
        const std::uint32_t other = group_of[graph.neighbours[e]];
        if (other == g || graph.weights[e] == 0) continue;
        if (sum[other] == 0) reached.push_back(other);
        sum[other] += graph.weights[e];
      }
    }
    for (const std::uint32_t other : reached) {
      coarse.neighbours.push_back(other);
      coarse.weights.push_back(std::exchange(sum[other], 0));
    }
    reached.clear();
    coarse.offsets.push_back(coarse.neighbours.size());
  }
  return coarse;
}

}  // namespace kith
