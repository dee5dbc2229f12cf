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

}  // namespace kith
