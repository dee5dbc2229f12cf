// The smallest symmetric tree that some leaves of any tree fit into.
#pragma once

#include <optional>
#include <span>

#include "kith/detail/tree_machine.hpp"

namespace kith {

struct EnclosingTree {
  std::vector<std::uint32_t> arities;  ///< top down, one per level, at least 1 each
  std::uint64_t size = 1;              ///< leaves, below 2^63
  /// The leaf of this tree that each given one becomes, ascending. Pairs meet at the same levels.
  std::vector<std::uint64_t> places;
};

/// `leaves` ascending. Children that have none of them below are passed over. Nothing where the
/// tree would have 2^63 leaves or more. O(leaves x depth).
std::optional<EnclosingTree> enclosing_tree(const TreeMachine& tree,
                                            std::span<const std::uint32_t> leaves);

}  // namespace kith
