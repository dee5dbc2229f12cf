#include "mapping/element_graph.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "core/parallel.hpp"

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

Weight ElementGraph::communication(std::uint32_t element) const {
  const auto all = weights_of(element);
  return std::accumulate(all.begin(), all.end(), Weight{0});
}

Groups groups_of(std::span<const std::uint32_t> group_of, std::uint32_t groups) {
  Groups result;
  result.offsets.assign(groups + std::size_t{1}, 0);
  for (const std::uint32_t group : group_of) ++result.offsets[group + std::size_t{1}];
  for (std::size_t g = 0; g < groups; ++g) result.offsets[g + 1] += result.offsets[g];
  result.members.resize(group_of.size());
  std::vector<std::uint32_t> next(result.offsets.begin(), result.offsets.end() - 1);
  for (std::uint32_t e = 0; e < group_of.size(); ++e) result.members[next[group_of[e]]++] = e;
  return result;
}

ElementGraph elements_of(const TrafficGraph& graph) {
  ElementGraph elements;
  elements.offsets.assign(graph.offsets().begin(), graph.offsets().end());
  elements.neighbours.reserve(graph.all_neighbours().size());
  for (const Rank r : graph.all_neighbours()) elements.neighbours.push_back(r.value);
  elements.weights.assign(graph.all_weights().begin(), graph.all_weights().end());
  return elements;
}

namespace {

/// The communication of groups first .. last - 1 with all others.
ElementGraph rows_of_groups(const ElementGraph& graph, const Groups& groups,
                            const std::vector<std::uint32_t>& group_of, std::uint32_t first,
                            std::uint32_t last) {
  ElementGraph rows;
  std::vector<Weight> sum(groups.size());
  std::vector<std::uint32_t> reached;
  for (std::uint32_t g = first; g < last; ++g) {
    for (const std::uint32_t element : groups.of(g)) {
      for (std::uint64_t e = graph.offsets[element]; e < graph.offsets[element + 1ULL]; ++e) {
        const std::uint32_t other = group_of[graph.neighbours[e]];
        if (other == g || graph.weights[e] == 0) continue;
        if (sum[other] == 0) reached.push_back(other);
        sum[other] += graph.weights[e];
      }
    }
    for (const std::uint32_t other : reached) {
      rows.neighbours.push_back(other);
      rows.weights.push_back(std::exchange(sum[other], 0));
    }
    reached.clear();
    rows.offsets.push_back(rows.neighbours.size());
  }
  return rows;
}

void append_rows(const ElementGraph& rows, ElementGraph& graph) {
  const std::uint64_t before = graph.neighbours.size();
  for (std::uint32_t r = 1; r <= rows.size(); ++r) {
    graph.offsets.push_back(before + rows.offsets[r]);
  }
  graph.neighbours.insert(graph.neighbours.end(), rows.neighbours.begin(), rows.neighbours.end());
  graph.weights.insert(graph.weights.end(), rows.weights.begin(), rows.weights.end());
}

}  // namespace

ElementGraph communication_between(const ElementGraph& graph, const Groups& groups,
                                   unsigned threads) {
  std::vector<std::uint32_t> group_of(graph.size());
  for (std::uint32_t g = 0; g < groups.size(); ++g) {
    for (const std::uint32_t element : groups.of(g)) group_of[element] = g;
  }
  // Less than this is done before another thread has started.
  constexpr std::uint64_t entries_worth_a_thread = 100'000;
  const auto parts = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(
      graph.neighbours.size() / entries_worth_a_thread, 1, std::max(threads, 1U)));
  const auto end_of_part = [&](std::uint64_t part) {
    return static_cast<std::uint32_t>(groups.size() * part / parts);
  };
  if (parts == 1) return rows_of_groups(graph, groups, group_of, 0, groups.size());
  std::vector<ElementGraph> rows(parts);
  parallel_for(parts, parts, [&](std::uint32_t part) {
    rows[part] =
        rows_of_groups(graph, groups, group_of, end_of_part(part), end_of_part(part + 1ULL));
  });
  ElementGraph coarse;
  for (const ElementGraph& part : rows) append_rows(part, coarse);
  return coarse;
}

}  // namespace kith
