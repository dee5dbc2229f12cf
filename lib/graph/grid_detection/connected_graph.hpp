// A part of the traffic that joins all ranks, laid out for walks over neighbours of neighbours; the
// sets of what is joined, and the check that ends long loops.
#pragma once

#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "kith/traffic.hpp"

namespace kith {

/// Asked at each step of a long loop; looks further only now and then.
class StopCheck {
 public:
  /// What ends the search; find_grid_structure() catches it.
  struct Stopped {};

  /// `is_over`: empty for never. Must outlive this.
  explicit StopCheck(const std::function<bool()>& is_over) : is_over_(is_over) {}

  /// Throws Stopped where the search is over. Not thread-safe.
  void operator()() const {
    if (++steps_ % steps_per_look == 0) look();
  }
  /// The same, at once.
  void look() const {
    if (is_over_ && is_over_()) throw Stopped{};
  }

 private:
  static constexpr std::uint32_t steps_per_look = 4096;  // a millisecond at most
  const std::function<bool()>& is_over_;
  mutable std::uint32_t steps_ = 0;
};

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

// Union-find.

class DisjointSets {
 public:
  explicit DisjointSets(std::uint32_t elements) : parent_(elements) {
    std::iota(parent_.begin(), parent_.end(), 0U);
  }

  /// The lowest element of its set.
  std::uint32_t find(std::uint32_t e) {
    while (parent_[e] != e) e = parent_[e] = parent_[parent_[e]];
    return e;
  }

  /// False where they were one already.
  bool unite(std::uint32_t a, std::uint32_t b) {
    a = find(a);
    b = find(b);
    if (a == b) return false;
    a < b ? parent_[b] = a : parent_[a] = b;
    return true;
  }

 private:
  std::vector<std::uint32_t> parent_;
};

/// Sets numbered from 0 by their lowest elements: by element, and how many there are.
struct NumberedSets {
  std::vector<std::uint32_t> of;
  std::uint32_t count = 0;
};
inline NumberedSets numbered(DisjointSets& sets, std::uint32_t elements) {
  NumberedSets result{std::vector<std::uint32_t>(elements), 0};
  for (std::uint32_t e = 0; e < elements; ++e) {
    const std::uint32_t root = sets.find(e);
    result.of[e] = root == e ? result.count++ : result.of[root];
  }
  return result;
}

}  // namespace kith
