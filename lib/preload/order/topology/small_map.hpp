// Places for few vertices, by what their edges carry between hosts: found by one process in
// milliseconds, without the engine.
//
// Local search by swaps (Kernighan and Lin, 1970), from several starts: of each pass that swaps
// every vertex once, the best beginning is kept. The same input gives the same answer.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kith/detail/job.hpp"

namespace kith::preload {

/// Weights between vertices, both directions added.
class SmallGraph {
 public:
  explicit SmallGraph(int vertices);
  /// Throws std::out_of_range unless both are vertices.
  void add(int from, int to, std::int64_t weight);
  /// Neighbours in the grid, with weight 1.
  void add(const CartesianTopology& grid);

  int vertices() const { return vertices_; }
  std::int64_t weight(int v, int w) const { return weights_[at(v, w)]; }

 private:
  std::size_t at(int v, int w) const {
    return static_cast<std::size_t>(v) * static_cast<std::size_t>(vertices_) +
           static_cast<std::size_t>(w);
  }
  int vertices_;
  std::vector<std::int64_t> weights_;
};

struct SmallMap {
  std::vector<std::int32_t> new_rank;  ///< the vertex that each rank becomes
  std::int64_t before = 0;             ///< weight between hosts, if rank v is vertex v
  std::int64_t after = 0;
};

/// hosts[r]: a number for the host of rank r; as many ranks as vertices. `start`: the rank of each
/// of the first vertices in an order worth a try; empty: none. Throws std::bad_alloc.
SmallMap map_small(const SmallGraph& graph, std::span<const std::int32_t> hosts,
                   std::span<const std::int32_t> start = {});

// Places in a grid or graph, found by each process alone: MPI_Cart_map and MPI_Graph_map are local
// calls.
//
// No time limit, no random number, no message: the same input gives the same answer everywhere.
// Only what lies between hosts counts. A grid is cut into blocks of a host's size; a graph is grown
// host by host from the vertices with most neighbours there (the greedy growing of Farhat, 1988,
// for parts of given sizes).

/// The rank that takes each vertex, in an order with at least `min_gain` (a fraction) fewer edges
/// between hosts than the present one, in which rank v is vertex v. Empty where none is found.
/// hosts[r]: a number that the ranks of one host share; as many ranks as vertices, or more. Throws
/// std::bad_alloc.
std::vector<std::int32_t> map_grid(const CartesianTopology& grid,
                                   std::span<const std::int32_t> hosts, double min_gain);

/// The same for a graph: index[v] ends the neighbours of vertex v in `neighbours`. The caller has
/// checked that both are valid.
std::vector<std::int32_t> map_graph(std::span<const int> index, std::span<const int> neighbours,
                                    std::span<const std::int32_t> hosts, double min_gain);

}  // namespace kith::preload
