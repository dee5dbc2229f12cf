// A free box in a grid.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace kith {

/// Nodes (row-major, last dimension fastest) of a box of exactly `volume` nodes that are all free:
/// of the shapes the one with the least surface, of its places the first. Boxes do not reach around
/// the ends of a ring. `is_free`: one item a node. O(nodes x shapes x 2^dims).
std::optional<std::vector<std::uint32_t>> find_free_box(std::span<const std::uint32_t> extents,
                                                        const std::vector<bool>& is_free,
                                                        std::uint64_t volume);

}  // namespace kith
