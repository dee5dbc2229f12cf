// The objects of one depth of a tree that are in use, and what lies between them.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "mapping/multilevel/work_graph.hpp"
#include "objective/distance.hpp"

namespace kith::multilevel {

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
  /// The number of an object that is in use.
  std::uint32_t number_of(std::uint64_t object) const;
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

/// Pairs of blocks that talk to each other and where the best move one way and the best move the
/// other way together would gain, that is where an exchange of one for one may. The largest gain
/// first. Only pairs with a block in `changed` (one per block). Time: edges x depth.
std::vector<BlockPair> promising_pairs(const WorkGraph& graph, const TreeBlocks& blocks,
                                       std::span<const std::uint32_t> block_of,
                                       const std::vector<bool>& changed);

}  // namespace kith::multilevel
