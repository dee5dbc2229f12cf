// Places in a grid or graph, found by each process alone: MPI_Cart_map and MPI_Graph_map are local
// calls.
//
// No time limit, no random number, no message: the same input gives the same answer everywhere.
// Only what lies between hosts counts. A grid is cut into blocks of a host's size; a graph is grown
// host by host from the vertices with most neighbours there (the greedy growing of Farhat, 1988,
// for parts of given sizes).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kith/detail/job.hpp"

namespace kith::runtime {

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

}  // namespace kith::runtime
