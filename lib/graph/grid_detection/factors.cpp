#include "graph/grid_detection/factors.hpp"

#include <algorithm>
#include <map>

#include "graph/grid_detection/class_groups.hpp"
#include "graph/grid_detection/disjoint_sets.hpp"
#include "graph/grid_detection/parallel_edges.hpp"

namespace kith {
namespace {

constexpr std::uint32_t none = ParallelEdges::none;

struct Dimensions {
  std::vector<std::uint32_t> of_edge;  ///< none: of no use
  std::uint32_t count = 0;
};

/// The ways to see dimensions in the graph, the likelier first.
std::vector<Dimensions> find_dimensions(const ConnectedGraph& graph, std::size_t most,
                                        const StopCheck& stop) {
  const auto parallel = find_parallel_edges(graph, stop);
  if (!parallel) return {};
  if (parallel->classes == 0) return {{std::vector<std::uint32_t>(graph.edges(), 0), 1}};
  std::vector<Dimensions> found;
  for (const ClassGroups& groups : group_classes(*parallel, most)) {
    Dimensions dimensions{parallel->class_of, groups.groups};
    for (std::uint32_t& of : dimensions.of_edge) {
      if (groups.groups == 1) {
        of = 0;  // nothing can belong elsewhere
      } else if (of != none) {
        of = groups.group_of[of];
      }
    }
    found.push_back(std::move(dimensions));
  }
  return found;
}

template <class Visit>  // visit(lower vertex, higher vertex, edge)
void for_each_edge(const ConnectedGraph& graph, Visit visit) {
  for (std::uint32_t v = 0; v < graph.vertices(); ++v) {
    const auto others = graph.neighbours(v);
    for (std::size_t i = 0; i < others.size(); ++i) {
      if (others[i] > v) visit(v, others[i], graph.edges_of(v)[i]);
    }
  }
}

/// Vertices joined by steps in the other dimensions have the same place in this one.
NumberedSets layers(const ConnectedGraph& graph, const Dimensions& dimensions,
                    std::uint32_t dimension) {
  DisjointSets sets(graph.vertices());
  for_each_edge(graph, [&](std::uint32_t a, std::uint32_t b, std::uint32_t edge) {
    const std::uint32_t of = dimensions.of_edge[edge];
    if (of != dimension && of != none) sets.unite(a, b);
  });
  return numbered(sets, graph.vertices());
}

/// By set smaller than the largest: the largest ones that steps in the dimension lead to,
/// ascending.
std::vector<std::vector<std::uint32_t>> whole_neighbours(const ConnectedGraph& graph,
                                                         const Dimensions& dimensions,
                                                         std::uint32_t dimension,
                                                         const NumberedSets& sets,
                                                         const std::vector<std::uint32_t>& size) {
  const std::uint32_t whole = *std::ranges::max_element(size);
  std::vector<std::vector<std::uint32_t>> around(sets.count);
  for_each_edge(graph, [&](std::uint32_t a, std::uint32_t b, std::uint32_t edge) {
    if (dimensions.of_edge[edge] != dimension) return;
    const std::uint32_t one = sets.of[a];
    const std::uint32_t other = sets.of[b];
    if (size[one] < whole && size[other] == whole) around[one].push_back(other);
    if (size[other] < whole && size[one] == whole) around[other].push_back(one);
  });
  for (auto& list : around) {
    std::ranges::sort(list);
    const auto repeated = std::unique(list.begin(), list.end());
    list.erase(repeated, list.end());
  }
  return around;
}

/// A pair that does not talk may cut a layer apart. Parts that lie between the same whole layers
/// and together are as large as one become one.
NumberedSets with_parts_joined(const ConnectedGraph& graph, const Dimensions& dimensions,
                               std::uint32_t dimension, NumberedSets sets) {
  std::vector<std::uint32_t> size(sets.count, 0);
  for (const std::uint32_t set : sets.of) ++size[set];
  const auto [least, whole] = std::ranges::minmax(size);
  if (least == whole) return sets;
  const auto around = whole_neighbours(graph, dimensions, dimension, sets, size);
  std::map<std::vector<std::uint32_t>, std::vector<std::uint32_t>> parts;
  for (std::uint32_t set = 0; set < sets.count; ++set) {
    if (!around[set].empty()) parts[around[set]].push_back(set);
  }
  DisjointSets joined(sets.count);
  for (const auto& [between, members] : parts) {
    std::uint64_t together = 0;
    for (const std::uint32_t set : members) together += size[set];
    if (together != whole) continue;
    for (const std::uint32_t set : members) joined.unite(members.front(), set);
  }
  const NumberedSets number = numbered(joined, sets.count);
  for (std::uint32_t& set : sets.of) set = number.of[set];
  return {std::move(sets.of), number.count};
}

void add_edges(const ConnectedGraph& graph, const Dimensions& dimensions, std::uint32_t dimension,
               Factor& factor) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> steps;
  double weight = 0;
  for_each_edge(graph, [&](std::uint32_t a, std::uint32_t b, std::uint32_t edge) {
    if (dimensions.of_edge[edge] != dimension) return;
    const auto [low, high] = std::minmax(factor.place[a], factor.place[b]);
    if (low == high) return;
    steps.emplace_back(low, high);
    weight += static_cast<double>(graph.weight(edge));
  });
  factor.mean_weight = steps.empty() ? 0 : weight / static_cast<double>(steps.size());
  std::ranges::sort(steps);
  const std::uint32_t width = graph.vertices() / factor.size;
  for (std::size_t i = 0; i < steps.size();) {
    std::size_t end = i;
    while (end < steps.size() && steps[end] == steps[i]) ++end;
    if (2 * (end - i) > width) factor.edges.push_back(steps[i]);
    i = end;
  }
}

/// Do the places in all dimensions together tell every vertex from every other?
bool tell_all_apart(const std::vector<Factor>& factors, std::uint32_t vertices) {
  std::vector<bool> taken(vertices, false);
  for (std::uint32_t v = 0; v < vertices; ++v) {
    std::uint64_t point = 0;
    for (const Factor& factor : factors) point = point * factor.size + factor.place[v];
    if (taken[point]) return false;
    taken[point] = true;
  }
  return true;
}

/// Empty where the graph is no product along these dimensions.
std::vector<Factor> factors_along(const ConnectedGraph& graph, const Dimensions& dimensions,
                                  const StopCheck& stop) {
  std::vector<Factor> factors(dimensions.count);
  std::uint64_t points = 1;
  for (std::uint32_t d = 0; d < dimensions.count; ++d) {
    stop.look();
    NumberedSets sets = with_parts_joined(graph, dimensions, d, layers(graph, dimensions, d));
    factors[d].size = sets.count;
    factors[d].place = std::move(sets.of);
    if (sets.count < 2 || points * sets.count > graph.vertices()) return {};
    points *= sets.count;
  }
  if (points != graph.vertices() || !tell_all_apart(factors, graph.vertices())) return {};
  for (std::uint32_t d = 0; d < dimensions.count; ++d) {
    stop.look();
    add_edges(graph, dimensions, d, factors[d]);
  }
  return factors;
}

}  // namespace

std::vector<std::vector<Factor>> find_factors(const ConnectedGraph& graph, std::size_t most,
                                              const StopCheck& stop) {
  std::vector<std::vector<Factor>> ways;
  for (const Dimensions& dimensions : find_dimensions(graph, most, stop)) {
    auto factors = factors_along(graph, dimensions, stop);
    if (!factors.empty()) ways.push_back(std::move(factors));
  }
  return ways;
}

}  // namespace kith
