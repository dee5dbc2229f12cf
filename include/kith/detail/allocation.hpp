// Which nodes a job would get on a busy machine: for studies of jobs that lie scattered.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "kith/machine.hpp"

namespace kith {

/// How a scheduler picks nodes. "Curve": on grids a snake that runs back and forth along the
/// shortest dimension first, elsewhere the order of the nodes.
enum class AllocationPolicy {
  contiguous,  ///< a box of a grid, the one with the least surface; elsewhere one piece of the
               ///< curve
  random,      ///< any free nodes, or rows of them anywhere
  /// The shortest free piece of the curve that is long enough; where none is, the nodes that span
  /// the least of it (Lo et al., IEEE TPDS 8(7), 1997; Leung et al., ICPP 2002).
  best_fit,
};

struct AllocationRequest {
  std::uint64_t nodes = 1;
  AllocationPolicy policy = AllocationPolicy::best_fit;
  double busy = 0;           ///< share of the nodes that other jobs hold, 0 .. below 1
  std::uint64_t seed = 1;    ///< of the other jobs and of AllocationPolicy::random
  std::uint64_t pieces = 0;  ///< random: so many rows of nodes; 0: single nodes
};

struct Allocation {
  std::vector<std::uint32_t> nodes;  ///< ascending
  SlotSet slots;                     ///< their allowed slots
  std::uint64_t pieces = 0;          ///< unbroken stretches of the curve
  std::uint64_t span = 0;            ///< positions of the curve from the first to the last
  std::uint64_t free_nodes = 0;      ///< that there were to choose from
  std::uint64_t other_jobs = 0;      ///< that ran beside
};

/// The machine is kept busy by jobs of sizes between 1 node and an eighth of it (uniform in the
/// logarithm), placed by best fit; they come and go until each node has seen several. Then the
/// request is served. Nodes without an allowed slot belong to no job. O(nodes) memory.
/// Throws Error (input) when it cannot be served.
Allocation allocate_nodes(const Machine& machine, const AllocationRequest& request);

/// Positions of a machine's nodes along the curve: curve[i] is the i-th node. 4 bytes a node.
std::vector<std::uint32_t> node_curve(const Machine& machine);

/// Mean hops between two different nodes of `nodes`, without those inside them: over all pairs of
/// up to 512 nodes, else over a fixed sample. 0 for a single node.
double average_node_hops(const Machine& machine, const std::vector<std::uint32_t>& nodes);

}  // namespace kith
