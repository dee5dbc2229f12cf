// A graph by adjacency, and the searches for shortest ways in it.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "kith/graph_network.hpp"

namespace kith {

/// Immutable. The vertices of the graph must exist; no sum of lengths along a way may exceed 63
/// bits.
class GraphSearch {
 public:
  static constexpr std::uint64_t unreached = std::numeric_limits<std::uint64_t>::max();

  explicit GraphSearch(const NetworkGraph& graph);

  /// The least sums of lengths from `source` to all nodes; unreached where there is no way.
  std::vector<std::uint64_t> lengths_from(std::uint32_t source) const;
  /// The fewest edges.
  std::vector<std::uint64_t> edges_from(std::uint32_t source) const;
  /// The least sum of lengths between two different nodes; 0 where there is only one.
  std::uint64_t least_length() const;
  /// Replaces `out` by up to `most` other nodes, nearest first, the lower one of equals.
  void nearest(std::uint32_t node, std::size_t most, std::vector<std::uint32_t>& out) const;

 private:
  struct Arc {
    std::uint32_t to;
    std::uint64_t length;
  };

  std::span<const Arc> arcs(std::uint32_t vertex) const {
    return std::span(arcs_).subspan(offsets_[vertex], offsets_[vertex + 1ULL] - offsets_[vertex]);
  }
  std::size_t vertices() const { return offsets_.size() - 1; }

  std::uint32_t nodes_;
  std::vector<std::uint64_t> offsets_;
  std::vector<Arc> arcs_;
  bool unit_lengths_;
};

}  // namespace kith
