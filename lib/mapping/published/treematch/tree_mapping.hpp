// TopoMatch on trees: the ranks' places among leaves.
#pragma once

#include "kith/detail/tree_machine.hpp"
#include "kith/mapper.hpp"
#include "mapping/budget.hpp"
#include "mapping/published/treematch/k_partition.hpp"

namespace kith::treematch {

struct TreeOptions {
  std::uint64_t threshold = 0;  ///< of algorithm 1
  PartitionOptions partition;
};

/// Algorithm 1, level by level, on a symmetric tree all of whose slots may be used.
Mapping map_by_groups(const MapTask& problem, const TreeMachine& tree, const TreeOptions& options);

/// Algorithm 3: any tree, any of its slots.
Mapping map_by_partition(const MapTask& problem, const TreeMachine& tree,
                         const TreeOptions& options);

}  // namespace kith::treematch
