// The pairs of a graph without their weights.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "graph/grid_detection/connected_graph.hpp"
#include "kith/traffic.hpp"

namespace kith {

/// Neighbours by rank.
class NeighbourLists {
 public:
  /// Ascending: the pairs of at least some weight.
  NeighbourLists(const TrafficGraph& graph, Weight least, const StopCheck& stop);
  /// All pairs, in the graph's order.
  NeighbourLists(const ConnectedGraph& graph, const StopCheck& stop);

  std::uint32_t ranks() const { return static_cast<std::uint32_t>(offsets_.size() - 1); }
  std::uint64_t pairs() const { return neighbours_.size() / 2; }
  std::span<const std::uint32_t> of(std::uint32_t rank) const {
    return {neighbours_.data() + offsets_[rank], offsets_[rank + std::size_t{1}] - offsets_[rank]};
  }
  /// Only where the neighbours are ascending.
  bool adjacent(std::uint32_t a, std::uint32_t b) const;

 private:
  std::vector<std::uint64_t> offsets_{0};
  std::vector<std::uint32_t> neighbours_;
};

}  // namespace kith
