// A part of the traffic that joins all ranks, laid out for walks over neighbours of neighbours.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "graph/grid_detection/stop_check.hpp"
#include "kith/traffic.hpp"

namespace kith {

/// Vertices are numbered breadth first, so that neighbours lie close to each other in memory
/// whatever order the ranks have. Neighbours are sorted; each edge has a number.
class ConnectedGraph {
 public:
  /// The pairs of at least `least` weight. Nothing where they do not join all ranks.
  static std::optional<ConnectedGraph> heavy_part(const TrafficGraph& graph, Weight least,
                                                  const StopCheck& stop);
  /// The edges for which keep[edge] is set, vertices as they are; nothing where that cuts it apart.
  std::optional<ConnectedGraph> with_only(const std::vector<bool>& keep) const;
  /// With pairs that do not talk so far, of no weight.
  struct Pair {
    std::uint32_t a;
    std::uint32_t b;
  };
  ConnectedGraph with_more(std::span<const Pair> pairs) const;
  /// Vertices of one group become one: groups are numbered from 0 without gaps. The vertices of the
  /// result are the groups; an edge stands for any between two of them.
  ConnectedGraph merged(const std::vector<std::uint32_t>& group, std::uint32_t groups) const;

  std::uint32_t vertices() const { return static_cast<std::uint32_t>(offsets_.size() - 1); }
  std::uint32_t edges() const { return static_cast<std::uint32_t>(weights_.size()); }
  std::uint32_t degree(std::uint32_t v) const {
    return static_cast<std::uint32_t>(offsets_[v + std::size_t{1}] - offsets_[v]);
  }
  std::span<const std::uint32_t> neighbours(std::uint32_t v) const {
    return {neighbours_.data() + offsets_[v], degree(v)};
  }
  /// Numbers of the edges to neighbours(v).
  std::span<const std::uint32_t> edges_of(std::uint32_t v) const {
    return {edge_of_.data() + offsets_[v], degree(v)};
  }
  Weight weight(std::uint32_t edge) const { return weights_[edge]; }
  Rank rank_of(std::uint32_t v) const { return rank_of_[v]; }

 private:
  struct HalfEdge {
    std::uint32_t to;
    Weight weight;
  };
  class Filler;

  bool is_connected() const;

  std::vector<std::uint64_t> offsets_{0};
  std::vector<std::uint32_t> neighbours_;
  std::vector<std::uint32_t> edge_of_;
  std::vector<Weight> weights_;  ///< by edge
  std::vector<Rank> rank_of_;
};

/// Calls visit(index in a, index in b) for each value that two ascending lists share.
template <class Visit>
void for_each_common(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b,
                     Visit visit) {
  std::size_t i = 0;
  std::size_t k = 0;
  while (i < a.size() && k < b.size()) {
    if (a[i] == b[k]) {
      visit(i++, k++);
    } else {
      a[i] < b[k] ? ++i : ++k;
    }
  }
}

}  // namespace kith
