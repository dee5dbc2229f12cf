// Which pairs of a tree's objects could gain from an exchange of ranks.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "mapping/multilevel/tree_blocks.hpp"
#include "mapping/multilevel/work_graph.hpp"

namespace kith::multilevel {

/// Two blocks, the lower number first.
using BlockPair = std::pair<std::uint32_t, std::uint32_t>;

/// Pairs of blocks that talk to each other and where the best move one way and the best move the
/// other way together would gain, that is where an exchange of one for one may. The largest gain
/// first. Only pairs with a block in `changed` (one per block). Time: edges x depth.
std::vector<BlockPair> promising_pairs(const WorkGraph& graph, const TreeBlocks& blocks,
                                       std::span<const std::uint32_t> block_of,
                                       const std::vector<bool>& changed);

}  // namespace kith::multilevel
