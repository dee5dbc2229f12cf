// The graph that multilevel partitioning works on: a vertex stands for several ranks. How it is made
// coarser.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/rng.hpp"
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
/// `order`: the ranks in the order of their vertices; empty: vertex i is rank i.
WorkGraph work_graph(const TrafficGraph& graph, std::span<const std::uint32_t> order = {});

/// All ranks, breadth first: those that talk to each other are near each other in memory too. In a
/// graph larger than the caches, all that goes through its neighbours is faster for it.
std::vector<std::uint32_t> breadth_first(const TrafficGraph& graph);

inline constexpr std::uint32_t outside = UINT32_MAX;

/// The subgraph of some vertices, in their order. `place` is scratch: as long as `graph` has
/// vertices, all `outside`, also afterwards.
WorkGraph induced(const WorkGraph& graph, std::span<const std::uint32_t> vertices,
                  std::vector<std::uint32_t>& place);

// Smaller graphs that are like the large one.

/// A graph whose vertices are groups of another one's.
struct Coarse {
  WorkGraph graph;
  std::vector<std::uint32_t> group_of;  ///< by vertex of the finer graph
};

/// Matches vertices that belong together: the heaviest w^2 / (size x size) first come first served
/// in a random order (Holtgrewe, Sanders, Schulz: "Engineering a scalable high quality graph
/// partitioner", IPDPS 2010: expansion*^2); what finds no partner joins one that has a neighbour in
/// common. No group is larger than `most` ranks. `block` (empty or one per vertex): only vertices
/// of one block are matched.
Coarse coarsen(const WorkGraph& graph, std::uint32_t most, Rng& rng,
               std::span<const std::uint32_t> block = {});

}  // namespace kith::multilevel
