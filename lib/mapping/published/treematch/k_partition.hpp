// Parts of given sizes with little communication between them: what TopoMatch's algorithms 1 and 3
// call k-way partitioning, "using either Scotch or a greedy partitioner that minimises the cut".
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "mapping/budget.hpp"
#include "mapping/element_graph.hpp"

namespace kith::treematch {

// Elements divided into parts: what TreeMatch's partitioners share.

/// The communication within each part: element i of a part's graph is the i-th of its list.
/// part_of[e] is the part of element e, `lists` the same as groups_of().
std::vector<ElementGraph> split(const ElementGraph& graph, std::span<const std::uint32_t> part_of,
                                const Groups& lists);

/// Communication between elements of different parts.
Weight cut_of(const ElementGraph& graph, std::span<const std::uint32_t> part_of);

/// Numbers parts, none of them empty, in the order of their lowest elements.
void number_by_lowest(std::vector<std::uint32_t>& part_of, std::uint32_t parts);

enum class Partitioner { best, scotch, greedy };

struct PartitionOptions {
  Partitioner partitioner = Partitioner::best;
  std::uint64_t seed = 1;
  Budget* budget = nullptr;  ///< null: unlimited
};

/// The part of each element, exactly sizes[p] in part p; the sizes, none of them 0, add up to the
/// elements.
///
/// The paper leaves open which partitioner is used when. Here, `best`: Scotch and, where that is
/// affordable, the greedy ones; the least cut is taken, Scotch's among equals. When the time of the
/// budget is up, elements fill the parts in order.
std::vector<std::uint32_t> k_partition(const ElementGraph& graph,
                                       std::span<const std::uint32_t> sizes,
                                       const PartitionOptions& options);

/// Scotch's k-way partition, followed by the balancing of what it leaves uneven: the element that
/// loses least goes from a part with too many to one with too few. Scotch runs in a child process
/// (scotch/in_child.hpp) unless the graph is small; nothing when the time of `budget` is up.
std::optional<std::vector<std::uint32_t>> scotch_partition(const ElementGraph& graph,
                                                           std::span<const std::uint32_t> sizes,
                                                           std::uint64_t seed,
                                                           Budget* budget = nullptr);

/// One part after the other grows by the element with the most communication to it. Among equals
/// that counts which prepares most communication for the next one, then the lowest. O(elements x
/// degree log).
std::vector<std::uint32_t> growing_partition(const ElementGraph& graph,
                                             std::span<const std::uint32_t> sizes);

/// Halves of halves: each half grows by the element that adds least to the cut, from a few of the
/// elements that communicate least, once with ties to the lowest and once to the highest index; the
/// least cut of these is taken. O(elements x degree log elements log parts).
std::vector<std::uint32_t> bisecting_partition(const ElementGraph& graph,
                                               std::span<const std::uint32_t> sizes);

}  // namespace kith::treematch
