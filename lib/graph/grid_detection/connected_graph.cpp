#include "graph/grid_detection/connected_graph.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace kith {
namespace {

constexpr std::uint32_t unvisited = std::numeric_limits<std::uint32_t>::max();

/// Ranks in breadth-first order from rank 0, over pairs of at least `least`; fewer than there are
/// where those do not join all.
std::vector<Rank> breadth_first(const TrafficGraph& graph, Weight least,
                                std::vector<std::uint32_t>& place, const StopCheck& stop) {
  place.assign(graph.ranks(), unvisited);
  std::vector<Rank> order{Rank{0}};
  order.reserve(graph.ranks());
  place[0] = 0;
  for (std::size_t next = 0; next < order.size(); ++next) {
    stop();
    const auto others = graph.neighbours(order[next]);
    const auto weights = graph.weights(order[next]);
    for (std::size_t i = 0; i < others.size(); ++i) {
      if (weights[i] < least || place[others[i].value] != unvisited) continue;
      place[others[i].value] = static_cast<std::uint32_t>(order.size());
      order.push_back(others[i]);
    }
  }
  return order;
}

}  // namespace

/// Adds the vertices in turn, each with all of its neighbours.
class ConnectedGraph::Filler {
 public:
  Filler(ConnectedGraph& graph, std::uint32_t vertices) : graph_(graph), next_lower_(vertices, 0) {
    graph_.offsets_.reserve(std::size_t{vertices} + 1);
  }

  /// Sorts `row`; of neighbours given twice one stays.
  void add(std::vector<HalfEdge>& row) {
    const auto here = static_cast<std::uint32_t>(graph_.offsets_.size() - 1);
    std::ranges::sort(row, {}, &HalfEdge::to);
    const auto repeated = std::unique(
        row.begin(), row.end(), [](const HalfEdge& a, const HalfEdge& b) { return a.to == b.to; });
    row.erase(repeated, row.end());
    for (const HalfEdge& half : row) {
      graph_.neighbours_.push_back(half.to);
      if (half.to > here) {
        graph_.edge_of_.push_back(graph_.edges());
        graph_.weights_.push_back(half.weight);
      } else {
        graph_.edge_of_.push_back(number_given_at(half.to));
      }
    }
    graph_.offsets_.push_back(graph_.neighbours_.size());
    const auto first_higher = std::ranges::upper_bound(row, here, {}, &HalfEdge::to);
    next_lower_[here] =
        graph_.offsets_[here] + static_cast<std::uint64_t>(first_higher - row.begin());
  }

 private:
  /// The lower end numbered its edges to higher ones in the order in which those come.
  std::uint32_t number_given_at(std::uint32_t lower) {
    return graph_.edge_of_[next_lower_[lower]++];
  }

  ConnectedGraph& graph_;
  std::vector<std::uint64_t> next_lower_;
};

std::optional<ConnectedGraph> ConnectedGraph::heavy_part(const TrafficGraph& graph, Weight least,
                                                         const StopCheck& stop) {
  std::vector<std::uint32_t> place;
  std::vector<Rank> order = breadth_first(graph, least, place, stop);
  if (order.size() < graph.ranks()) return std::nullopt;
  ConnectedGraph part;
  Filler filler(part, graph.ranks());
  std::vector<HalfEdge> row;
  for (const Rank rank : order) {
    stop();
    const auto others = graph.neighbours(rank);
    const auto weights = graph.weights(rank);
    row.clear();
    for (std::size_t i = 0; i < others.size(); ++i) {
      if (weights[i] >= least) row.push_back({place[others[i].value], weights[i]});
    }
    filler.add(row);
  }
  part.rank_of_ = std::move(order);
  return part;
}

std::optional<ConnectedGraph> ConnectedGraph::with_only(const std::vector<bool>& keep) const {
  ConnectedGraph part;
  Filler filler(part, vertices());
  std::vector<HalfEdge> row;
  for (std::uint32_t v = 0; v < vertices(); ++v) {
    row.clear();
    for (std::size_t i = 0; i < degree(v); ++i) {
      const std::uint32_t edge = edges_of(v)[i];
      if (keep[edge]) row.push_back({neighbours(v)[i], weights_[edge]});
    }
    filler.add(row);
  }
  if (!part.is_connected()) return std::nullopt;
  part.rank_of_ = rank_of_;
  return part;
}

ConnectedGraph ConnectedGraph::with_more(std::span<const Pair> pairs) const {
  std::vector<std::vector<HalfEdge>> more(vertices());
  for (const Pair& pair : pairs) {
    more[pair.a].push_back({pair.b, 0});
    more[pair.b].push_back({pair.a, 0});
  }
  ConnectedGraph larger;
  Filler filler(larger, vertices());
  for (std::uint32_t v = 0; v < vertices(); ++v) {
    for (std::size_t i = 0; i < degree(v); ++i) {
      more[v].push_back({neighbours(v)[i], weights_[edges_of(v)[i]]});
    }
    filler.add(more[v]);
  }
  larger.rank_of_ = rank_of_;
  return larger;
}

ConnectedGraph ConnectedGraph::merged(const std::vector<std::uint32_t>& group,
                                      std::uint32_t groups) const {
  std::vector<std::vector<HalfEdge>> rows(groups);
  for (std::uint32_t v = 0; v < vertices(); ++v) {
    for (std::size_t i = 0; i < degree(v); ++i) {
      const std::uint32_t other = group[neighbours(v)[i]];
      if (other != group[v]) rows[group[v]].push_back({other, weights_[edges_of(v)[i]]});
    }
  }
  ConnectedGraph quotient;
  Filler filler(quotient, groups);
  for (auto& row : rows) filler.add(row);
  for (std::uint32_t g = 0; g < groups; ++g) quotient.rank_of_.push_back(Rank{g});
  return quotient;
}

bool ConnectedGraph::is_connected() const {
  DisjointSets sets(vertices());
  std::uint32_t parts = vertices();
  for (std::uint32_t v = 0; v < vertices(); ++v) {
    for (const std::uint32_t other : neighbours(v)) parts -= sets.unite(v, other);
  }
  return parts == 1;
}

}  // namespace kith
