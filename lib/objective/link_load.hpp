// Bytes on the links of a machine, and the bytes that stay inside its objects.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kith/machine.hpp"
#include "kith/mapping.hpp"
#include "kith/objective.hpp"
#include "kith/traffic.hpp"
#include "objective/wide.hpp"

namespace kith {

/// Bytes on the busiest directed link of each kind.
///
/// Trees: links join each object, slots included, to its parent, one up and one down. O(entries x
/// depth) time, O(ranks) memory.
///
/// Grids: a link each way between neighbours. Messages go dimension by dimension, the first of the
/// SPEC first, around a ring by the shorter route, and up where both are equally long. A tree in
/// each node adds its own links and one that joins its root to the network. O(entries x (dimensions
/// + depth)) time, O(entries + ranks) memory.
///
/// Where the machine does not say which route messages take (dragonflies, graphs, tables of
/// distances) the links of the network are those that join each node to it.
struct BusiestLinks {
  /// above[level]: all that crosses between an object of depth `level` of the tree (the machine's
  /// or that of each node) and its parent, however many links that is; above[0]: between the root
  /// of a node's tree and a network of nodes.
  std::vector<Wide> above;
  Wide of_network = 0;  ///< of a grid, or of nodes where routes are not known
  Wide of_nodes = 0;    ///< all that crosses between a node and the network; 0 of a single node
  bool knows_routes = true;
};
BusiestLinks busiest_links(const TrafficMatrix& matrix, const Machine& machine,
                           const Mapping& mapping);

/// Bytes on the busiest directed link of all; nothing where routes are not known. Where links are
/// several wide (fat trees), traffic is spread evenly over them, and the share of one is rounded
/// up. Throws Error (input) beyond 64 bits.
std::optional<std::uint64_t> max_link_load(const TrafficMatrix& matrix, const Machine& machine,
                                           const Mapping& mapping);
/// The same of links whose bytes are known.
std::optional<std::uint64_t> max_link_load(const BusiestLinks& busiest, const Machine& machine);

/// How many directed links the whole machine has: those of max_link_load(), parallel ones each,
/// also where no rank may be. A ring of two nodes has one link each way. Nothing where routes are
/// not known. O(depth + dimensions).
std::optional<double> count_links(const Machine& machine);

/// Bytes on all links over the number of links, 0 where there is none. `hop_bytes` is the
/// mapping's. O(edges) with a tree in each node, else O(depth + dimensions).
std::optional<double> average_link_load(const TrafficGraph& graph, const Machine& machine,
                                        const Mapping& mapping, std::uint64_t hop_bytes);

// Traffic between groups of ranks: NUMA nodes, what shares a cache.

/// Bytes of the pairs whose ranks are of different groups. O(edges).
Wide bytes_between(const TrafficGraph& graph, const std::vector<std::uint64_t>& group_of_rank);

/// Bytes between each two NUMA nodes that hold ranks. O(edges + ranks log ranks) time, O(ranks)
/// memory. Throws Error (input) beyond 64 bits.
NumaBytes numa_bytes(const TrafficGraph& graph, const Machine& machine, const Mapping& mapping);

/// Metrics::reduction_value. O(edges + ranks x depth). Throws Error (input) beyond 64 bits.
std::optional<std::uint64_t> reduction_value(const TrafficGraph& graph, const Machine& machine,
                                             const Mapping& mapping);

}  // namespace kith
