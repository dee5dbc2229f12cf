#include "mapping/heaviest_pairs.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace kith {
namespace {

/// Indices into the row of `r`, in any order.
void heaviest_of(const TrafficGraph& graph, Rank r, std::uint32_t most,
                 std::vector<std::uint32_t>& order) {
  const auto weights = graph.weights(r);
  order.clear();
  const auto heavier = [&](std::uint32_t a, std::uint32_t b) {
    return weights[a] != weights[b] ? weights[a] > weights[b] : a < b;
  };
  // A heap with the lightest on top: in a long row hardly any pair gets in.
  for (std::uint32_t i = 0; i < weights.size() && most > 0; ++i) {
    if (order.size() == most) {
      if (!heavier(i, order.front())) continue;
      std::ranges::pop_heap(order, heavier);
      order.pop_back();
    }
    order.push_back(i);
    std::ranges::push_heap(order, heavier);
  }
}

}  // namespace

TrafficGraph heaviest_pairs(const TrafficGraph& graph, std::uint32_t most) {
  struct Pair {
    Rank neighbour;
    Weight weight;
  };
  std::vector<std::vector<Pair>> rows(graph.ranks());
  std::vector<std::uint32_t> order;
  for (Rank r(0); r.value < graph.ranks(); ++r) {
    heaviest_of(graph, r, most, order);
    for (const std::uint32_t i : order) {
      const Rank neighbour = graph.neighbours(r)[i];
      const Weight weight = graph.weights(r)[i];
      rows[r.value].push_back({neighbour, weight});
      rows[neighbour.value].push_back({r, weight});
    }
  }
  std::vector<std::uint64_t> offsets{0};
  std::vector<Rank> neighbours;
  std::vector<Weight> weights;
  for (std::vector<Pair>& row : rows) {
    std::ranges::sort(row, {}, [](const Pair& pair) { return pair.neighbour.value; });
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0 && row[i].neighbour == row[i - 1].neighbour) continue;  // both ends chose it
      neighbours.push_back(row[i].neighbour);
      weights.push_back(row[i].weight);
    }
    offsets.push_back(neighbours.size());
  }
  return TrafficGraph::from_csr(std::move(offsets), std::move(neighbours), std::move(weights));
}

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
