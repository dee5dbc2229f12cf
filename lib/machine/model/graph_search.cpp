#include "machine/model/graph_search.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <unordered_set>

namespace kith {
namespace {

/// A vertex to go on from. Of two equally far ones the lower vertex first.
struct Reached {
  std::uint64_t distance;
  std::uint32_t vertex;
  auto operator<=>(const Reached&) const = default;
};

using NearestFirst = std::priority_queue<Reached, std::vector<Reached>, std::greater<>>;

Reached take(NearestFirst& open) {
  const Reached first = open.top();
  open.pop();
  return first;
}

}  // namespace

GraphSearch::GraphSearch(const NetworkGraph& graph)
    : nodes_(graph.nodes), offsets_(graph.vertices + std::size_t{1}) {
  for (const auto& edge : graph.edges) {
    ++offsets_[edge.a + std::size_t{1}];
    ++offsets_[edge.b + std::size_t{1}];
  }
  for (std::size_t v = 0; v < vertices(); ++v) offsets_[v + 1] += offsets_[v];
  arcs_.resize(offsets_.back());
  std::vector<std::uint64_t> next(offsets_.begin(), offsets_.end() - 1);
  for (const auto& edge : graph.edges) {
    arcs_[next[edge.a]++] = {edge.b, edge.length};
    arcs_[next[edge.b]++] = {edge.a, edge.length};
  }
  unit_lengths_ =
      std::ranges::all_of(graph.edges, [](const auto& edge) { return edge.length == 1; });
}

std::vector<std::uint64_t> GraphSearch::lengths_from(std::uint32_t source) const {
  if (unit_lengths_) return edges_from(source);
  std::vector<std::uint64_t> distance(vertices(), unreached);
  NearestFirst open;
  distance[source] = 0;
  open.push({0, source});
  while (!open.empty()) {
    const Reached here = take(open);
    if (here.distance > distance[here.vertex]) continue;
    for (const Arc& arc : arcs(here.vertex)) {
      const std::uint64_t through_here = here.distance + arc.length;
      if (through_here >= distance[arc.to]) continue;
      distance[arc.to] = through_here;
      open.push({through_here, arc.to});
    }
  }
  distance.resize(nodes_);
  return distance;
}

std::vector<std::uint64_t> GraphSearch::edges_from(std::uint32_t source) const {
  std::vector<std::uint64_t> distance(vertices(), unreached);
  std::vector<std::uint32_t> reached{source};
  distance[source] = 0;
  for (std::size_t i = 0; i < reached.size(); ++i) {
    const std::uint32_t here = reached[i];
    for (const Arc& arc : arcs(here)) {
      if (distance[arc.to] != unreached) continue;
      distance[arc.to] = distance[here] + 1;
      reached.push_back(arc.to);
    }
  }
  distance.resize(nodes_);
  return distance;
}

// Around each node grows the region of what is nearest to it; the shortest way between two nodes
// crosses one edge from region to region.
std::uint64_t GraphSearch::least_length() const {
  if (nodes_ < 2) return 0;
  std::vector<std::uint64_t> distance(vertices(), unreached);
  std::vector<std::uint32_t> region(vertices());
  NearestFirst open;
  for (std::uint32_t node = 0; node < nodes_; ++node) {
    distance[node] = 0;
    region[node] = node;
    open.push({0, node});
  }
  while (!open.empty()) {
    const Reached here = take(open);
    if (here.distance > distance[here.vertex]) continue;
    for (const Arc& arc : arcs(here.vertex)) {
      const std::uint64_t through_here = here.distance + arc.length;
      if (through_here >= distance[arc.to]) continue;
      distance[arc.to] = through_here;
      region[arc.to] = region[here.vertex];
      open.push({through_here, arc.to});
    }
  }
  std::uint64_t least = unreached;
  for (std::uint32_t v = 0; v < vertices(); ++v) {
    if (distance[v] == unreached) continue;
    for (const Arc& arc : arcs(v)) {
      if (region[v] == region[arc.to]) continue;
      least = std::min(least, distance[v] + arc.length + distance[arc.to]);
    }
  }
  return least;
}

void GraphSearch::nearest(std::uint32_t node, std::size_t most,
                          std::vector<std::uint32_t>& out) const {
  out.clear();
  std::unordered_set<std::uint32_t> settled;
  NearestFirst open;
  open.push({0, node});
  while (!open.empty() && out.size() < most) {
    const Reached here = take(open);
    if (!settled.insert(here.vertex).second) continue;
    if (here.vertex != node && here.vertex < nodes_) out.push_back(here.vertex);
    for (const Arc& arc : arcs(here.vertex)) {
      if (!settled.contains(arc.to)) open.push({here.distance + arc.length, arc.to});
    }
  }
}

}  // namespace kith
