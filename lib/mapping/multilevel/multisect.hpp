// A graph in k parts of exact sizes, refined by moves between pairs of parts.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "mapping/budget.hpp"
#include "mapping/multilevel/multilevel.hpp"
#include "mapping/multilevel/work_graph.hpp"
#include "objective/distance.hpp"

namespace kith::multilevel {

// The objects of one depth of a tree that are in use, and what lies between them.

/// Blocks are objects of one depth, those in use numbered from left to right; so are the objects
/// above them. A rank in one block pays for each unit of weight to one in another block the cost of
/// the level where they meet.
class TreeBlocks {
 public:
  /// `objects`: of depth `level`, ascending, no two alike.
  TreeBlocks(const TreeMachine& tree, const TreeDistance& distance, unsigned level,
             std::vector<std::uint64_t> objects);

  /// Children of one object: 1 between any two of them, nothing inside.
  static TreeBlocks brothers(std::uint32_t count);

  std::uint32_t count() const { return static_cast<std::uint32_t>(objects_.size()); }
  unsigned level() const { return level_; }
  /// The number of an object that is in use; of others the next higher number.
  std::uint32_t number_of(std::uint64_t object) const;
  std::uint64_t object(std::uint32_t block) const { return objects_[block]; }
  /// Number of the object of depth `level`, 0 .. level(), above a block.
  std::uint32_t ancestor(std::uint32_t block, unsigned level) const { return above_[level][block]; }
  /// How many objects of a depth are in use.
  std::uint32_t count_at(unsigned level) const { return above_[level].back() + 1; }
  /// The depth of the lowest common ancestor: level() for one block.
  unsigned meeting(std::uint32_t a, std::uint32_t b) const;
  /// What ranks pay whose lowest common ancestor has depth `level`.
  std::int64_t cost_at(unsigned level) const { return cost_[level]; }
  std::int64_t between(std::uint32_t a, std::uint32_t b) const { return cost_[meeting(a, b)]; }

 private:
  TreeBlocks() = default;

  unsigned level_ = 0;
  std::vector<std::uint64_t> objects_;
  std::vector<std::vector<std::uint32_t>> above_;  // by depth, then block
  std::vector<std::int64_t> cost_;                 // by depth
};

// Which pairs of a tree's objects could gain from an exchange of ranks.

/// Two blocks, the lower number first.
using BlockPair = std::pair<std::uint32_t, std::uint32_t>;

/// Pairs of blocks that talk to each other and where the best move in one direction and the best
/// move in the other one together would gain, that is where an exchange of one for one may. The
/// largest gain first. Only pairs with a block in `changed` (one per block). `room`: how many more
/// ranks fit into each block, so that one move alone may gain; empty: none. Time: edges x depth.
std::vector<BlockPair> promising_pairs(const WorkGraph& graph, const TreeBlocks& blocks,
                                       std::span<const std::uint32_t> block_of,
                                       const std::vector<bool>& changed,
                                       std::span<const std::uint64_t> room = {});

/// The part of each vertex: part p has sizes[p] ranks, exactly where all vertices are single ranks.
/// Recursive bisection, then pairs of parts are refined until none gains. Precondition: the sizes
/// add up to the graph's. Where the budget ends it, the parts are of no use.
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

  /// How far from their sizes parts may be: as far as the largest vertex makes it, or not at all
  /// where they are exact already.
  enum class Sizes { about, exact };

  /// Never makes the cut heavier. False where trials.sweeps ended it.
  bool refine(const Trials& trials, Sizes sizes = Sizes::about);
  /// Brings each part to its size, exactly where all vertices are single ranks.
  void balance(const Trials& trials);

  /// Weight between different parts.
  std::int64_t cut() const;
  /// Sum of what parts exceed their sizes by.
  std::uint64_t excess() const;

 private:
  bool is_over() const { return budget_ != nullptr && budget_->exhausted(); }
  /// True when something moved.
  bool refine_pair(BlockPair pair, const Trials& trials, Sizes sizes);

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
