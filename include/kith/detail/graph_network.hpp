// A network given as a graph: nodes and the routers between them, distances by search.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "kith/detail/network_machine.hpp"

namespace kith {

class GraphSearch;
class DistanceRows;

/// What a GraphNetwork is made of. Vertices 0 .. nodes-1 are the nodes, nodes .. vertices-1 the
/// routers, which no slot belongs to. A route may lead through nodes too.
struct NetworkGraph {
  struct Edge {
    std::uint32_t a = 0;
    std::uint32_t b = 0;
    std::uint64_t length = 1;
  };
  std::uint32_t nodes = 0;
  std::uint32_t vertices = 0;  ///< nodes and routers
  std::vector<Edge> edges;  ///< undirected; loops do nothing, of parallel ones the shortest counts
  /// False: hops are the least sum of lengths, each at least 1, and there are no costs. True: costs
  /// are the least sum of lengths, in units of 1/cost_scale, and hops the fewest edges.
  bool lengths_are_costs = false;
  std::uint64_t cost_scale = 1;
  std::string kind = "graph";
};

/// Distances are found by breadth-first search, or Dijkstra's algorithm where lengths differ: one
/// search gives a row, all distances from one node. Rows are kept, 8 bytes per node, the least
/// recently used go first. O(1) for a row that is kept, O(edges log vertices) for a new one. A
/// metric: symmetric, with triangle inequality. Any number of threads may ask; those that need rows
/// of the same sixteenth of the nodes wait for each other.
class GraphNetwork final : public Network {
 public:
  static constexpr std::size_t default_cache_bytes = std::size_t{64} << 20;

  /// `cache_bytes` bounds the rows that are kept of hops, and again those of costs; one is kept
  /// whatever its size. `where` names the culprit in errors. Throws Error (input) for no node, a
  /// vertex that does not exist, a length that is not allowed, or a graph in pieces. Memory 32
  /// bytes per edge and 8 per vertex.
  GraphNetwork(NetworkGraph graph, std::string_view where,
               std::size_t cache_bytes = default_cache_bytes);
  ~GraphNetwork() override;

  std::string_view kind() const override { return kind_; }
  std::uint64_t hops(std::uint32_t a, std::uint32_t b) const override;
  std::uint64_t cost(std::uint32_t a, std::uint32_t b) const override;
  bool has_costs() const override { return has_costs_; }
  std::uint64_t cost_scale() const override { return cost_scale_; }
  std::uint64_t lowest_cost() const override { return lowest_cost_; }
  /// O(what lies nearer than the last that is found).
  void nearest(std::uint32_t node, std::size_t most,
               std::vector<std::uint32_t>& out) const override;

 private:
  std::string kind_;
  bool has_costs_;
  std::uint64_t cost_scale_;
  std::uint64_t lowest_cost_ = 0;
  std::unique_ptr<const GraphSearch> search_;
  std::unique_ptr<DistanceRows> hops_;
  std::unique_ptr<DistanceRows> costs_;  // null without costs
};

}  // namespace kith
