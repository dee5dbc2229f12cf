#include "mapping/multilevel/work_graph.hpp"

#include <bit>
#include <numeric>

#include "objective/wide.hpp"

namespace kith::multilevel {

std::uint64_t WorkGraph::total_size() const {
  return std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
}

WorkGraph work_graph(const TrafficGraph& graph) {
  Wide twice = 0;
  for (const Weight weight : graph.all_weights()) twice += weight;
  unsigned shift = 0;
  while ((twice >> shift) >> 61 != 0) ++shift;
  const Weight round_up = (Weight{1} << shift) - 1;
  WorkGraph result;
  result.sizes.assign(graph.ranks(), 1);
  result.offsets.reserve(graph.ranks() + std::size_t{1});
  result.neighbours.reserve(graph.all_neighbours().size());
  result.weights.reserve(graph.all_neighbours().size());
  for (Rank r(0); r.value < graph.ranks(); ++r) {
    const auto neighbours = graph.neighbours(r);
    const auto weights = graph.weights(r);
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      if (weights[i] == 0) continue;
      result.neighbours.push_back(neighbours[i].value);
      result.weights.push_back(static_cast<std::int64_t>((weights[i] >> shift) +
                                                         ((weights[i] & round_up) != 0 ? 1 : 0)));
    }
    result.offsets.push_back(result.neighbours.size());
  }
  return result;
}

WorkGraph induced(const WorkGraph& graph, std::span<const std::uint32_t> vertices,
                  std::vector<std::uint32_t>& place) {
  for (std::uint32_t i = 0; i < vertices.size(); ++i) place[vertices[i]] = i;
  WorkGraph part;
  part.sizes.reserve(vertices.size());
  part.offsets.reserve(vertices.size() + 1);
  for (const std::uint32_t v : vertices) {
    part.sizes.push_back(graph.sizes[v]);
    for (std::uint64_t e = graph.offsets[v]; e < graph.offsets[v + 1]; ++e) {
      const std::uint32_t u = graph.neighbours[e];
      if (place[u] == outside) continue;
      part.neighbours.push_back(place[u]);
      part.weights.push_back(graph.weights[e]);
    }
    part.offsets.push_back(part.neighbours.size());
  }
  for (const std::uint32_t v : vertices) place[v] = outside;
  return part;
}

}  // namespace kith::multilevel
