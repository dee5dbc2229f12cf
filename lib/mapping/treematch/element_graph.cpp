#include "mapping/treematch/element_graph.hpp"

#include <limits>
#include <numeric>
#include <utility>

namespace kith::treematch {

Weight ElementGraph::communication(std::uint32_t element) const {
  const auto all = weights_of(element);
  return std::accumulate(all.begin(), all.end(), Weight{0});
}

ElementGraph elements_of(const TrafficGraph& graph) {
  ElementGraph elements;
  elements.offsets.assign(graph.offsets().begin(), graph.offsets().end());
  elements.neighbours.reserve(graph.all_neighbours().size());
  for (const Rank r : graph.all_neighbours()) elements.neighbours.push_back(r.value);
  elements.weights.assign(graph.all_weights().begin(), graph.all_weights().end());
  return elements;
}

PartLists lists_of(std::span<const std::uint32_t> part_of, std::uint32_t parts) {
  PartLists lists;
  lists.offsets.assign(parts + std::size_t{1}, 0);
  for (const std::uint32_t part : part_of) ++lists.offsets[part + std::size_t{1}];
  for (std::size_t p = 0; p < parts; ++p) lists.offsets[p + 1] += lists.offsets[p];
  lists.members.resize(part_of.size());
  std::vector<std::uint32_t> next(lists.offsets.begin(), lists.offsets.end() - 1);
  for (std::uint32_t e = 0; e < part_of.size(); ++e) lists.members[next[part_of[e]]++] = e;
  return lists;
}

ElementGraph aggregate(const ElementGraph& graph, std::span<const std::uint32_t> part_of,
                       std::uint32_t parts) {
  const PartLists lists = lists_of(part_of, parts);
  ElementGraph coarse;
  std::vector<Weight> sum(parts);
  std::vector<std::uint32_t> reached;
  for (std::uint32_t part = 0; part < parts; ++part) {
    for (const std::uint32_t element : lists.of(part)) {
      const auto neighbours = graph.neighbours_of(element);
      const auto weights = graph.weights_of(element);
      for (std::size_t i = 0; i < neighbours.size(); ++i) {
        const std::uint32_t other = part_of[neighbours[i]];
        if (other == part || weights[i] == 0) continue;
        if (sum[other] == 0) reached.push_back(other);
        sum[other] += weights[i];
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

std::vector<ElementGraph> split(const ElementGraph& graph, std::span<const std::uint32_t> part_of,
                                const PartLists& lists) {
  std::vector<std::uint32_t> place(graph.size());  // in its part's list
  std::vector<ElementGraph> graphs(lists.offsets.size() - 1);
  for (std::uint32_t part = 0; part < graphs.size(); ++part) {
    const auto members = lists.of(part);
    for (std::uint32_t i = 0; i < members.size(); ++i) place[members[i]] = i;
  }
  for (std::uint32_t part = 0; part < graphs.size(); ++part) {
    ElementGraph& inner = graphs[part];
    for (const std::uint32_t element : lists.of(part)) {
      const auto neighbours = graph.neighbours_of(element);
      const auto weights = graph.weights_of(element);
      for (std::size_t i = 0; i < neighbours.size(); ++i) {
        if (part_of[neighbours[i]] != part) continue;
        inner.neighbours.push_back(place[neighbours[i]]);
        inner.weights.push_back(weights[i]);
      }
      inner.offsets.push_back(inner.neighbours.size());
    }
  }
  return graphs;
}

Weight cut_of(const ElementGraph& graph, std::span<const std::uint32_t> part_of) {
  Weight cut = 0;
  for (std::uint32_t e = 0; e < graph.size(); ++e) {
    const auto neighbours = graph.neighbours_of(e);
    const auto weights = graph.weights_of(e);
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      if (neighbours[i] > e && part_of[neighbours[i]] != part_of[e]) cut += weights[i];
    }
  }
  return cut;
}

void number_by_lowest(std::vector<std::uint32_t>& part_of, std::uint32_t parts) {
  constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> number(parts, none);
  std::uint32_t next = 0;
  for (std::uint32_t& part : part_of) {
    if (number[part] == none) number[part] = next++;
    part = number[part];
  }
}

}  // namespace kith::treematch
