#include "mapping/published/treematch/grouping.hpp"

#include <algorithm>

namespace kith::treematch {
namespace {

/// The number of groups of `arity` out of `elements`, or any number above `threshold`.
std::uint64_t possible_groups(std::uint32_t elements, std::uint32_t arity,
                              std::uint64_t threshold) {
  std::uint64_t groups = 1;
  const std::uint32_t factors = std::min(arity, elements - arity);
  for (std::uint64_t i = 1; i <= factors && groups <= threshold; ++i) {
    groups = groups * (elements - factors + i) / i;  // below threshold x elements: no overflow
  }
  return groups;
}

}  // namespace

GroupingMethod grouping_method(std::uint32_t elements, std::uint32_t arity,
                               std::uint64_t threshold) {
  if (possible_groups(elements, arity, threshold) <= threshold) return GroupingMethod::exhaustive;
  if (arity == 2) return GroupingMethod::bucket;
  constexpr std::uint32_t largest_fast_arity = 5;  // algorithm 1; the text says "lower than 5"
  return arity <= largest_fast_arity ? GroupingMethod::fast : GroupingMethod::k_partition;
}

std::vector<std::uint32_t> group_elements(const ElementGraph& graph, std::uint32_t arity,
                                          std::uint64_t threshold,
                                          const PartitionOptions& options) {
  const std::uint32_t groups = graph.size() / arity;
  if (groups == 1) return std::vector<std::uint32_t>(graph.size(), 0);
  switch (grouping_method(graph.size(), arity, threshold)) {
    case GroupingMethod::exhaustive:
      return exhaustive_grouping(graph, arity);
    case GroupingMethod::bucket:
      return bucket_grouping(graph, options.seed);
    case GroupingMethod::fast:
      return fast_grouping(graph, arity);
    case GroupingMethod::k_partition:
      break;
  }
  auto group_of = k_partition(graph, std::vector<std::uint32_t>(groups, arity), options);
  number_by_lowest(group_of, groups);
  return group_of;
}

}  // namespace kith::treematch
