// Traffic between groups of ranks: NUMA nodes, what shares a cache.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kith/objective.hpp"
#include "objective/wide.hpp"

namespace kith {

/// Bytes of the pairs whose ranks are of different groups. O(edges).
Wide bytes_between(const TrafficGraph& graph, const std::vector<std::uint64_t>& group_of_rank);

/// Bytes between each two NUMA nodes that hold ranks. O(edges + ranks log ranks) time, O(ranks)
/// memory. Throws Error (input) beyond 64 bits.
NumaBytes numa_bytes(const TrafficGraph& graph, const Machine& machine, const Mapping& mapping);

/// Metrics::reduction_value. O(edges + ranks x depth). Throws Error (input) beyond 64 bits.
std::optional<std::uint64_t> reduction_value(const TrafficGraph& graph, const Machine& machine,
                                             const Mapping& mapping);

}  // namespace kith
