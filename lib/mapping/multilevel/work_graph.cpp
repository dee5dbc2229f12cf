#include "mapping/multilevel/work_graph.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "objective/wide.hpp"

namespace kith::multilevel {
namespace {

constexpr std::uint32_t none = UINT32_MAX;

class Matcher {
 public:
  Matcher(const WorkGraph& graph, std::uint32_t most, Rng& rng,
          std::span<const std::uint32_t> block)
      : graph_(graph), most_(most), block_(block), partner_(graph.vertices(), none) {
    order_.resize(graph.vertices());
    std::iota(order_.begin(), order_.end(), 0U);
    for (std::uint32_t i = graph.vertices(); i-- > 1;) {
      std::swap(order_[i], order_[rng.below(i + 1ULL)]);
    }
  }

  /// The partner of each vertex, or itself.
  std::vector<std::uint32_t> run() {
    for (const std::uint32_t v : order_) {
      if (partner_[v] == none) match(v, best_neighbour(v));
    }
    match_over_common_neighbours();
    for (std::uint32_t v = 0; v < graph_.vertices(); ++v) {
      if (partner_[v] == none) partner_[v] = v;
    }
    return std::move(partner_);
  }

 private:
  bool fit(std::uint32_t v, std::uint32_t u) const {
    return std::uint64_t{graph_.sizes[v]} + graph_.sizes[u] <= most_ &&
           (block_.empty() || block_[v] == block_[u]);
  }

  void match(std::uint32_t v, std::uint32_t u) {
    if (u == none) return;
    partner_[v] = u;
    partner_[u] = v;
  }

  std::uint32_t best_neighbour(std::uint32_t v) const {
    std::uint32_t best = none;
    double best_rating = 0;
    const auto neighbours = graph_.neighbours_of(v);
    const auto weights = graph_.weights_of(v);
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      const std::uint32_t u = neighbours[i];
      if (partner_[u] != none || !fit(v, u)) continue;
      const auto weight = static_cast<double>(weights[i]);
      const double rating = weight * weight / static_cast<double>(graph_.sizes[u]);
      if (rating > best_rating) {
        best_rating = rating;
        best = u;
      }
    }
    return best;
  }

  /// Leaves of stars, mostly: each waits at its heaviest neighbour for the next one.
  void match_over_common_neighbours() {
    std::vector<std::uint32_t> waiting(graph_.vertices(), none);
    for (const std::uint32_t v : order_) {
      if (partner_[v] != none || graph_.neighbours_of(v).empty()) continue;
      const auto weights = graph_.weights_of(v);
      const auto heaviest = std::ranges::max_element(weights) - weights.begin();
      std::uint32_t& other = waiting[graph_.neighbours_of(v)[static_cast<std::size_t>(heaviest)]];
      if (other != none && fit(v, other)) {
        match(v, std::exchange(other, none));
      } else {
        other = v;
      }
    }
  }

  const WorkGraph& graph_;
  std::uint32_t most_;
  std::span<const std::uint32_t> block_;
  std::vector<std::uint32_t> partner_;
  std::vector<std::uint32_t> order_;
};

/// Pairs become vertices, numbered by their lower member.
Coarse contract(const WorkGraph& graph, const std::vector<std::uint32_t>& partner) {
  Coarse result;
  std::vector<std::uint32_t> first;  // of each group
  result.group_of.resize(graph.vertices());
  for (std::uint32_t v = 0; v < graph.vertices(); ++v) {
    if (partner[v] < v) {
      result.group_of[v] = result.group_of[partner[v]];
    } else {
      result.group_of[v] = static_cast<std::uint32_t>(first.size());
      first.push_back(v);
    }
  }
  WorkGraph& coarse = result.graph;
  const auto groups = static_cast<std::uint32_t>(first.size());
  coarse.sizes.reserve(groups);
  if (!graph.bias.empty()) coarse.bias.resize(groups);
  coarse.offsets.reserve(groups + std::size_t{1});
  // What is not written to takes no memory, what grows is copied.
  coarse.neighbours.reserve(graph.neighbours.size());
  coarse.weights.reserve(graph.neighbours.size());
  std::vector<std::uint64_t> place(groups, UINT64_MAX);  // in the row that grows
  for (std::uint32_t g = 0; g < groups; ++g) {
    const std::uint64_t row = coarse.neighbours.size();
    std::uint32_t size = 0;
    const auto add = [&](std::uint32_t v) {
      size += graph.sizes[v];
      if (!graph.bias.empty()) coarse.bias[g] += graph.bias[v];
      for (std::uint64_t e = graph.offsets[v]; e < graph.offsets[v + 1]; ++e) {
        const std::uint32_t other = result.group_of[graph.neighbours[e]];
        if (other == g) continue;
        if (place[other] == UINT64_MAX || place[other] < row) {
          place[other] = coarse.neighbours.size();
          coarse.neighbours.push_back(other);
          coarse.weights.push_back(0);
        }
        coarse.weights[place[other]] += graph.weights[e];
      }
    };
    add(first[g]);
    if (partner[first[g]] != first[g]) add(partner[first[g]]);
    coarse.sizes.push_back(size);
    coarse.offsets.push_back(coarse.neighbours.size());
  }
  return result;
}

}  // namespace

Coarse coarsen(const WorkGraph& graph, std::uint32_t most, Rng& rng,
               std::span<const std::uint32_t> block) {
  return contract(graph, Matcher(graph, most, rng, block).run());
}

std::uint64_t WorkGraph::total_size() const {
  return std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
}

WorkGraph work_graph(const TrafficGraph& graph, std::span<const std::uint32_t> order) {
  Wide twice = 0;
  for (const Weight weight : graph.all_weights()) twice += weight;
  unsigned shift = 0;
  while ((twice >> shift) >> 61 != 0) ++shift;
  const Weight round_up = (Weight{1} << shift) - 1;
  WorkGraph result;
  result.sizes.assign(graph.ranks(), 1);
  result.offsets.reserve(graph.ranks() + std::size_t{1});
  result.neighbours.reserve(graph.all_neighbours().size());
  result.weights.reserve(graph.all_neighbours().size());
  std::vector<std::uint32_t> vertex_of(order.size());
  for (std::uint32_t v = 0; v < order.size(); ++v) vertex_of[order[v]] = v;
  for (std::uint32_t v = 0; v < graph.ranks(); ++v) {
    const Rank r(order.empty() ? v : order[v]);
    const auto neighbours = graph.neighbours(r);
    const auto weights = graph.weights(r);
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      if (weights[i] == 0) continue;
      const std::uint32_t other = neighbours[i].value;
      result.neighbours.push_back(order.empty() ? other : vertex_of[other]);
      result.weights.push_back(static_cast<std::int64_t>((weights[i] >> shift) +
                                                         ((weights[i] & round_up) != 0 ? 1 : 0)));
    }
    result.offsets.push_back(result.neighbours.size());
  }
  return result;
}

std::vector<std::uint32_t> breadth_first(const TrafficGraph& graph) {
  std::vector<std::uint32_t> order;
  order.reserve(graph.ranks());
  std::vector<bool> seen(graph.ranks());
  for (std::uint32_t start = 0; start < graph.ranks(); ++start) {
    if (seen[start]) continue;
    seen[start] = true;
    order.push_back(start);
    for (std::size_t at = order.size() - 1; at < order.size(); ++at) {
      for (const Rank other : graph.neighbours(Rank(order[at]))) {
        if (seen[other.value]) continue;
        seen[other.value] = true;
        order.push_back(other.value);
      }
    }
  }
  return order;
}

WorkGraph induced(const WorkGraph& graph, std::span<const std::uint32_t> vertices,
                  std::vector<std::uint32_t>& place) {
  for (std::uint32_t i = 0; i < vertices.size(); ++i) place[vertices[i]] = i;
  WorkGraph part;
  part.sizes.reserve(vertices.size());
  part.offsets.reserve(vertices.size() + 1);
  std::uint64_t ends = 0;
  for (const std::uint32_t v : vertices) ends += graph.offsets[v + 1] - graph.offsets[v];
  part.neighbours.reserve(ends);
  part.weights.reserve(ends);
  for (const std::uint32_t v : vertices) {
    part.sizes.push_back(graph.sizes[v]);
    for (std::uint64_t e = graph.offsets[v]; e < graph.offsets[v + 1]; ++e) {
      const std::uint32_t u = graph.neighbours[e];
      if (place[u] == outside) continue;
      part.neighbours.push_back(place[u]);
      part.weights.push_back(graph.weights[e]);
    }
    part.offsets.push_back(part.neighbours.size());
  }
  for (const std::uint32_t v : vertices) place[v] = outside;
  return part;
}

}  // namespace kith::multilevel
