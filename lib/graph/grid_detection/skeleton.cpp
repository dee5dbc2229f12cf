#include "graph/grid_detection/axes.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace kith {
namespace {

/// By vertex that `v` talks to: the edge to it. Set for one v at a time.
class EdgeTo {
 public:
  static constexpr std::uint32_t none = UINT32_MAX;

  explicit EdgeTo(const ConnectedGraph& graph) : graph_(graph), edge_(graph.vertices(), none) {}
  void set(std::uint32_t v) {
    for (const std::uint32_t other : graph_.neighbours(at_)) edge_[other] = none;
    at_ = v;
    for (std::size_t i = 0; i < graph_.degree(v); ++i) {
      edge_[graph_.neighbours(v)[i]] = graph_.edges_of(v)[i];
    }
  }
  std::uint32_t operator[](std::uint32_t vertex) const { return edge_[vertex]; }

 private:
  const ConnectedGraph& graph_;
  std::vector<std::uint32_t> edge_;
  std::uint32_t at_ = 0;
};

/// By edge: how many vertices both ends know.
std::vector<std::uint32_t> common_neighbours(const ConnectedGraph& graph, const StopCheck& stop) {
  std::vector<std::uint32_t> common(graph.edges(), 0);
  EdgeTo edge_to(graph);
  for (std::uint32_t v = 0; v < graph.vertices(); ++v) {
    stop();
    edge_to.set(v);
    for (std::size_t i = 0; i < graph.degree(v); ++i) {
      const std::uint32_t other = graph.neighbours(v)[i];
      if (other < v) continue;
      common[graph.edges_of(v)[i]] = static_cast<std::uint32_t>(std::ranges::count_if(
          graph.neighbours(other),
          [&](std::uint32_t third) { return edge_to[third] != EdgeTo::none; }));
    }
  }
  return common;
}

NumberedSets find_twins(const ConnectedGraph& graph, const std::vector<std::uint32_t>& common) {
  DisjointSets sets(graph.vertices());
  for (std::uint32_t v = 0; v < graph.vertices(); ++v) {
    const auto others = graph.neighbours(v);
    for (std::size_t i = 0; i < others.size(); ++i) {
      const std::uint32_t shared = common[graph.edges_of(v)[i]] + 1;
      if (shared == graph.degree(v) && shared == graph.degree(others[i])) sets.unite(v, others[i]);
    }
  }
  return numbered(sets, graph.vertices());
}

class Betweenness {
 public:
  Betweenness(const ConnectedGraph& graph, const std::vector<std::uint32_t>& common)
      : graph_(graph), common_(common), edge_to_(graph) {}

  /// The vertex of the following questions.
  void set(std::uint32_t v) {
    edge_to_.set(v);
    v_ = v;
  }

  /// Does a vertex that both ends know share more with either than they share with each other?
  bool has_one_between(std::uint32_t other, std::uint32_t edge) const {
    const std::uint32_t shared = common_[edge];
    for (std::size_t k = 0; k < graph_.degree(other); ++k) {
      const std::uint32_t third = graph_.neighbours(other)[k];
      if (edge_to_[third] == EdgeTo::none) continue;
      const std::uint32_t to_v = common_[edge_to_[third]];
      const std::uint32_t to_other = common_[graph_.edges_of(other)[k]];
      if ((clearly_more(to_v, shared) || nested(v_, to_v, third, to_other, other)) &&
          (clearly_more(to_other, shared) || nested(other, to_other, third, to_v, v_))) {
        return true;
      }
    }
    return false;
  }

 private:
  // With the two ends themselves counted, what two neighbours share is a product with a 2 or a 3
  // for each dimension: numbers are the same or half as much more. So pairs that are missing or
  // too many do no harm as long as they are few.
  static bool clearly_more(std::uint32_t common, std::uint32_t other_common) {
    return 4 * (common + 2) >= 5 * (other_common + 2);
  }
  /// Are the vertices that two neighbours share nearly all that one of them has?
  bool knows_all_of(std::uint32_t v, std::uint32_t common) const {
    return 6 * (common + 2) >= 5 * (graph_.degree(v) + 1);
  }

  /// Does `middle` have nearly all neighbours of `inner`, and `outer` nearly all of `middle`?
  bool nested(std::uint32_t inner, std::uint32_t inner_common, std::uint32_t middle,
              std::uint32_t outer_common, std::uint32_t outer) const {
    return knows_all_of(inner, inner_common) && knows_all_of(middle, outer_common) &&
           clearly_more(graph_.degree(middle), graph_.degree(inner)) &&
           clearly_more(graph_.degree(outer), graph_.degree(middle));
  }

  const ConnectedGraph& graph_;
  const std::vector<std::uint32_t>& common_;
  EdgeTo edge_to_;
  std::uint32_t v_ = 0;
};

std::optional<ConnectedGraph> without_diagonals(const ConnectedGraph& graph,
                                                const std::vector<std::uint32_t>& common,
                                                const StopCheck& stop) {
  Betweenness betweenness(graph, common);
  std::vector<bool> keep(graph.edges(), true);
  for (std::uint32_t v = 0; v < graph.vertices(); ++v) {
    stop();
    betweenness.set(v);
    const auto others = graph.neighbours(v);
    for (std::size_t i = 0; i < others.size(); ++i) {
      const std::uint32_t edge = graph.edges_of(v)[i];
      if (others[i] > v) keep[edge] = !betweenness.has_one_between(others[i], edge);
    }
  }
  return graph.with_only(keep);
}

}  // namespace

std::optional<Skeleton> find_skeleton(const ConnectedGraph& graph, const StopCheck& stop) {
  auto common = common_neighbours(graph, stop);
  NumberedSets twins = find_twins(graph, common);
  std::optional<ConnectedGraph> left;
  if (twins.count == graph.vertices()) {
    left = without_diagonals(graph, common, stop);
  } else {
    const ConnectedGraph quotient = graph.merged(twins.of, twins.count);
    left = without_diagonals(quotient, common_neighbours(quotient, stop), stop);
  }
  if (!left) return std::nullopt;
  return Skeleton{*std::move(left), std::move(twins)};
}

}  // namespace kith
