// A graph in k parts of exact sizes, refined by moves between pairs of parts.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "mapping/budget.hpp"
#include "mapping/multilevel/multilevel.hpp"
#include "mapping/multilevel/tree_blocks.hpp"
#include "mapping/multilevel/work_graph.hpp"

namespace kith::multilevel {

/// The part of each vertex: part p has sizes[p] ranks, exactly where all vertices are single ranks.
/// Recursive bisection, then pairs of parts are refined until none gains. Precondition: the sizes
/// add up to the graph's. Where the budget ends it, sizes are off.
std::vector<std::uint32_t> multisect(const WorkGraph& graph, std::span<const std::uint64_t> sizes,
                                     const Trials& trials, Rng& rng, Budget* budget);

/// Parts of given sizes. Pairs of parts that could gain are refined as a graph of two sides (after
/// Holtgrewe, Sanders, Schulz: "Engineering a scalable high quality graph partitioner", IPDPS
/// 2010), until none does.
class PairRefiner {
 public:
  /// `part_of[v]` is below sizes.size(). `budget` may be null: where it ends the work, the parts
  /// are as good as they were then. The references must outlive this.
  PairRefiner(const WorkGraph& graph, std::span<const std::uint64_t> sizes,
              std::vector<std::uint32_t>& part_of, Budget* budget);

  /// Never makes the cut heavier. Sizes stay within what the largest vertex allows. False where
  /// trials.sweeps ended it.
  bool refine(const Trials& trials);
  /// Brings each part to its size, exactly where all vertices are single ranks.
  void balance(const Trials& trials);

  /// Weight between different parts.
  std::int64_t cut() const;
  /// Sum of what parts exceed their sizes by.
  std::uint64_t excess() const;

 private:
  bool is_over() const { return budget_ != nullptr && budget_->exhausted(); }
  /// True when something moved.
  bool refine_pair(BlockPair pair, const Trials& trials, bool exactly);

  const WorkGraph& graph_;
  std::span<const std::uint64_t> sizes_;
  std::vector<std::uint32_t>& part_of_;
  Budget* budget_;
  TreeBlocks parts_;
  std::vector<std::vector<std::uint32_t>> members_;
  std::vector<std::uint64_t> size_;
  std::vector<std::uint64_t> ends_;  // of edges at the members
  std::uint64_t largest_ = 1;        // vertex
  std::vector<std::uint32_t> place_;
};

}  // namespace kith::multilevel
