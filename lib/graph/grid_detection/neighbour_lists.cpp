#include "graph/grid_detection/neighbour_lists.hpp"

#include <algorithm>

namespace kith {

NeighbourLists::NeighbourLists(const TrafficGraph& graph, Weight least, const StopCheck& stop) {
  offsets_.reserve(graph.ranks() + std::size_t{1});
  for (std::uint32_t r = 0; r < graph.ranks(); ++r) {
    stop();
    const auto others = graph.neighbours(Rank(r));
    const auto weights = graph.weights(Rank(r));
    for (std::size_t i = 0; i < others.size(); ++i) {
      if (weights[i] >= least) neighbours_.push_back(others[i].value);
    }
    offsets_.push_back(neighbours_.size());
  }
}

bool NeighbourLists::adjacent(std::uint32_t a, std::uint32_t b) const {
  return std::ranges::binary_search(of(a), b);
}

NeighbourLists::NeighbourLists(const ConnectedGraph& graph, const StopCheck& stop) {
  std::vector<std::uint32_t> vertex_of(graph.vertices());
  for (std::uint32_t v = 0; v < graph.vertices(); ++v) vertex_of[graph.rank_of(v).value] = v;
  for (const std::uint32_t v : vertex_of) {
    stop();
    for (const std::uint32_t other : graph.neighbours(v)) {
      neighbours_.push_back(graph.rank_of(other).value);
    }
    offsets_.push_back(neighbours_.size());
  }
}

}  // namespace kith
