// Algorithm 1 of Jeannot: "Process mapping on any topology with TopoMatch", JPDC 170, 2022 (below
// "the paper"): the elements of one level, as many as `arity` divides, become groups of `arity`.
// Each function returns the group of each element; groups are numbered by their lowest elements.
#pragma once

#include "mapping/published/treematch/k_partition.hpp"

namespace kith::treematch {

/// What algorithm 1 chooses.
enum class GroupingMethod { exhaustive, bucket, fast, k_partition };
GroupingMethod grouping_method(std::uint32_t elements, std::uint32_t arity,
                               std::uint64_t threshold);

/// The largest threshold: groups are listed, four bytes a member.
inline constexpr std::uint64_t max_threshold = 1'000'000;

/// Algorithm 1.
std::vector<std::uint32_t> group_elements(const ElementGraph& graph, std::uint32_t arity,
                                          std::uint64_t threshold, const PartitionOptions& options);

/// Lines 11 to 18. At most max_threshold groups are possible.
std::vector<std::uint32_t> exhaustive_grouping(const ElementGraph& graph, std::uint32_t arity);
/// Line 4.
std::vector<std::uint32_t> bucket_grouping(const ElementGraph& graph, std::uint64_t seed);
/// Line 7. `arity` is 2 to 5.
std::vector<std::uint32_t> fast_grouping(const ElementGraph& graph, std::uint32_t arity);

}  // namespace kith::treematch
