// Edges that lie opposite each other in squares are parallel, and all parallel edges of a grid make
// the same step.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "graph/grid_detection/connected_graph.hpp"

namespace kith {

/// Classes of parallel edges. A square of a grid spans two dimensions, and what lies beside it by
/// chance (a message more, a message less) does not make or break the classes.
struct ParallelEdges {
  static constexpr std::uint32_t none = UINT32_MAX;

  std::vector<std::uint32_t> class_of;  ///< by edge; none: in no square
  std::uint32_t classes = 0;
  /// Pairs of classes that meet in a square, each both ways, sorted.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> crossings;
};

/// Nothing where the graph can be no grid. O(sum over edges of the degrees at their ends).
std::optional<ParallelEdges> find_parallel_edges(const ConnectedGraph& graph,
                                                 const StopCheck& stop);

// Squares: cycles of four without chords, whose first and last corner have no other neighbour in
// common.

/// The edges of the square v-u-x-w.
struct Square {
  std::uint32_t v_u;
  std::uint32_t u_x;
  std::uint32_t v_w;
  std::uint32_t w_x;
};

class SquareFinder {
 public:
  explicit SquareFinder(const ConnectedGraph& graph) : graph_(graph), paths_(graph.vertices()) {}

  /// The squares at v: all, or those of which v is the lowest vertex. O(squared degree).
  template <class Visit>
  void for_each_at(std::uint32_t v, bool lowest_only, Visit visit) {
    walk_from(v, lowest_only);
    for (const std::uint32_t x : reached_) {
      const Paths& paths = paths_[x];
      const bool is_lowest = paths.by[0] > v && paths.by[1] > v;
      if (paths.count == 2 && (is_lowest || !lowest_only) && !adjacent(paths.by[0], paths.by[1])) {
        visit(Square{paths.first[0], paths.second[0], paths.first[1], paths.second[1]});
      }
      paths_[x].count = 0;
    }
    for (const std::uint32_t u : graph_.neighbours(v)) paths_[u].count = 0;
  }

 private:
  /// Of two steps from the vertex at hand.
  struct Paths {
    std::uint32_t count = 0;
    std::uint32_t by[2];
    std::uint32_t first[2];  ///< edges
    std::uint32_t second[2];
  };
  static constexpr std::uint32_t too_many = 3;

  bool adjacent(std::uint32_t a, std::uint32_t b) const {
    return std::ranges::binary_search(graph_.neighbours(a), b);
  }

  void walk_from(std::uint32_t v, bool upwards_only) {
    reached_.clear();
    for (const std::uint32_t u : graph_.neighbours(v)) paths_[u].count = too_many;
    for (std::size_t i = 0; i < graph_.degree(v); ++i) {
      const std::uint32_t u = graph_.neighbours(v)[i];
      for (std::size_t k = 0; k < graph_.degree(u); ++k) {
        const std::uint32_t x = graph_.neighbours(u)[k];
        if (x == v || (upwards_only && x < v)) continue;
        Paths& paths = paths_[x];
        if (paths.count == 0) reached_.push_back(x);
        if (paths.count < 2) {
          paths.by[paths.count] = u;
          paths.first[paths.count] = graph_.edges_of(v)[i];
          paths.second[paths.count] = graph_.edges_of(u)[k];
        }
        if (paths.count < too_many) ++paths.count;
      }
    }
  }

  const ConnectedGraph& graph_;
  std::vector<Paths> paths_;  ///< by their end; all 0 between two calls
  std::vector<std::uint32_t> reached_;
};

}  // namespace kith
