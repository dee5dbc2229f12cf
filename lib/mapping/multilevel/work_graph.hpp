// The graph that multilevel partitioning works on: vertices stand for several ranks.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kith/traffic.hpp"

namespace kith::multilevel {

/// Undirected, both ends stored, no loops, no weights of 0. All weights together fit 62 bits, so
/// that gains are signed 64-bit numbers.
struct WorkGraph {
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> neighbours;
  std::vector<std::int64_t> weights;
  std::vector<std::uint32_t> sizes;  ///< ranks that a vertex stands for
  /// What a vertex pays more on side 1 than on side 0 of a bisection whoever is with it, for
  /// partners outside the graph; empty: nothing.
  std::vector<std::int64_t> bias;

  std::uint32_t vertices() const { return static_cast<std::uint32_t>(sizes.size()); }
  std::span<const std::uint32_t> neighbours_of(std::uint32_t v) const {
    return {neighbours.data() + offsets[v], neighbours.data() + offsets[v + 1]};
  }
  std::span<const std::int64_t> weights_of(std::uint32_t v) const {
    return {weights.data() + offsets[v], weights.data() + offsets[v + 1]};
  }
  std::uint64_t total_size() const;
};

/// Each rank a vertex. Where the weights together exceed 61 bits, all are divided by a power of
/// two, rounded up.
WorkGraph work_graph(const TrafficGraph& graph);

inline constexpr std::uint32_t outside = UINT32_MAX;

/// The subgraph of some vertices, in their order. `place` is scratch: as long as `graph` has
/// vertices, all `outside`, also afterwards.
WorkGraph induced(const WorkGraph& graph, std::span<const std::uint32_t> vertices,
                  std::vector<std::uint32_t>& place);

}  // namespace kith::multilevel
