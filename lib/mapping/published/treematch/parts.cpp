#include "mapping/published/treematch/parts.hpp"

#include <limits>

namespace kith::treematch {

std::vector<ElementGraph> split(const ElementGraph& graph, std::span<const std::uint32_t> part_of,
                                const Groups& lists) {
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
