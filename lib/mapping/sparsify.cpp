#include "mapping/sparsify.hpp"

#include <algorithm>

namespace kith {

TrafficGraph sparsified(const TrafficGraph& graph, double factor) {
  const auto all = graph.all_weights();
  const Weight heaviest = all.empty() ? 0 : *std::ranges::max_element(all);
  const long double bound = static_cast<long double>(heaviest) * static_cast<long double>(factor);
  std::vector<std::uint64_t> offsets{0};
  std::vector<Rank> neighbours;
  std::vector<Weight> weights;
  for (std::uint32_t r = 0; r < graph.ranks(); ++r) {
    const auto others = graph.neighbours(Rank(r));
    const auto their_weights = graph.weights(Rank(r));
    for (std::size_t i = 0; i < others.size(); ++i) {
      if (static_cast<long double>(their_weights[i]) <= bound) continue;
      neighbours.push_back(others[i]);
      weights.push_back(their_weights[i]);
    }
    offsets.push_back(neighbours.size());
  }
  return TrafficGraph::from_csr(std::move(offsets), std::move(neighbours), std::move(weights));
}

}  // namespace kith
