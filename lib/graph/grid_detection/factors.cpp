#include "graph/grid_detection/axes.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <span>
#include <vector>

#include "graph/grid_detection/connected_graph.hpp"
#include "graph/grid_detection/squares.hpp"

namespace kith {
namespace {

// Which classes of parallel edges belong to one dimension.

struct ClassGroups {
  std::vector<std::uint32_t> group_of;  ///< by class
  std::uint32_t groups = 0;
};

using Crossing = std::pair<std::uint32_t, std::uint32_t>;

class Grouping {
 public:
  explicit Grouping(const ParallelEdges& parallel)
      : first_(parallel.classes + std::size_t{1}, 0),
        crossings_(parallel.crossings),
        group_of_(parallel.classes, none) {
    for (const Crossing& crossing : crossings_) ++first_[crossing.first + std::size_t{1}];
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
  }

  /// The classes that cross most first: they are in no doubt. False when there are too many groups.
  bool assign_all(std::size_t most) {
    std::vector<std::uint32_t> order(group_of_.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, std::ranges::greater{},
                             [&](std::uint32_t c) { return first_[c + 1] - first_[c]; });
    // What joined a group while that was small may be wrong there.
    constexpr int rounds = 3;
    for (int round = 0; round < rounds; ++round) {
      for (const std::uint32_t c : order) {
        assign(c);
        if (members_.size() > 4 * most) return false;
      }
      merge_groups();
    }
    return true;
  }

  ClassGroups result() const {
    ClassGroups groups{group_of_, 0};
    std::vector<std::uint32_t> number(members_.size(), none);
    for (std::size_t g = 0; g < members_.size(); ++g) {
      if (members_[g] > 0) number[g] = groups.groups++;
    }
    for (std::uint32_t& group : groups.group_of) group = number[group];
    return groups;
  }

 private:
  static constexpr std::uint32_t none = UINT32_MAX;

  std::span<const Crossing> crossings_of(std::uint32_t c) const {
    return std::span(crossings_).subspan(first_[c], first_[c + 1] - first_[c]);
  }

  /// To the group of which it crosses least, for the few crossings that it may have; to a group of
  /// its own where that is not little.
  void assign(std::uint32_t c) {
    if (group_of_[c] != none) --members_[group_of_[c]];
    crossed_.assign(members_.size(), 0);
    for (const Crossing& crossing : crossings_of(c)) {
      const std::uint32_t group = group_of_[crossing.second];
      if (group != none && crossing.second != c) ++crossed_[group];
    }
    double least = 0.5;
    std::uint32_t best = none;
    for (std::uint32_t g = 0; g < members_.size(); ++g) {
      if (members_[g] == 0) continue;
      const auto possible = std::min<std::size_t>(members_[g], crossings_of(c).size());
      const double part = static_cast<double>(crossed_[g]) / static_cast<double>(possible);
      if (part >= least) continue;
      least = part;
      best = g;
    }
    if (best == none) {
      best = static_cast<std::uint32_t>(members_.size());
      members_.push_back(0);
    }
    ++members_[best];
    group_of_[c] = best;
  }

  /// Squares can lie along one dimension, too: groups that cross little are one.
  void merge_groups() {
    constexpr double little = 0.25;
    const std::size_t groups = members_.size();
    std::vector<std::uint64_t> crossed(groups * groups, 0);
    for (const auto& [a, b] : crossings_) ++crossed[group_of_[a] * groups + group_of_[b]];
    std::vector<std::uint32_t> into(groups);
    for (std::uint32_t g = 0; g < groups; ++g) {
      into[g] = g;
      for (std::uint32_t h = 0; h < g; ++h) {
        const double all = static_cast<double>(members_[g]) * members_[h];
        if (static_cast<double>(crossed[g * groups + h]) >= little * all) continue;
        into[g] = into[h];
        break;
      }
    }
    members_.assign(groups, 0);
    for (std::uint32_t& group : group_of_) {
      group = into[group];
      ++members_[group];
    }
  }

  std::vector<std::size_t> first_;  ///< by class: where its crossings begin
  const std::vector<Crossing>& crossings_;
  std::vector<std::uint32_t> group_of_;
  std::vector<std::uint32_t> members_;  ///< by group: how many
  std::vector<std::uint32_t> crossed_;  ///< by group, of the class at hand
};

/// Groups of which no class fails to cross any of another.
ClassGroups uncrossed_components(const ParallelEdges& parallel) {
  constexpr std::uint32_t none = UINT32_MAX;
  ClassGroups found{std::vector<std::uint32_t>(parallel.classes), 0};
  std::vector<std::uint32_t> crosses(parallel.classes, none);  // the last class that it did cross
  std::vector<std::uint32_t> left(parallel.classes);
  std::iota(left.begin(), left.end(), 0U);
  std::vector<std::uint32_t> reached;
  for (; !left.empty(); ++found.groups) {
    reached.assign(1, left.back());
    left.pop_back();
    for (std::size_t next = 0; next < reached.size(); ++next) {
      const std::uint32_t here = reached[next];
      found.group_of[here] = found.groups;
      for (auto at = std::ranges::lower_bound(parallel.crossings, Crossing{here, 0U});
           at != parallel.crossings.end() && at->first == here; ++at) {
        crosses[at->second] = here;
      }
      std::erase_if(left, [&](std::uint32_t other) {
        if (crosses[other] == here) return false;
        reached.push_back(other);
        return true;
      });
    }
  }
  return found;
}

/// Classes of different dimensions cross, those of one do not. First the groups that follow when
/// that holds to the letter; then those of the majority, since a pair that does not talk leaves a
/// crossing out. None of more than `most` groups. O(classes x most + crossings).
std::vector<ClassGroups> group_classes(const ParallelEdges& parallel, std::size_t most) {
  std::vector<ClassGroups> ways{uncrossed_components(parallel)};
  Grouping grouping(parallel);
  if (grouping.assign_all(most)) ways.push_back(grouping.result());
  std::erase_if(ways, [&](const ClassGroups& groups) { return groups.groups > most; });
  return ways;
}

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
