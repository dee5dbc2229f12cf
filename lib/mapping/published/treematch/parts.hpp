// Elements divided into parts: what TreeMatch's partitioners share.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mapping/element_graph.hpp"

namespace kith::treematch {

/// The communication within each part: element i of a part's graph is the i-th of its list.
/// part_of[e] is the part of element e, `lists` the same as groups_of().
std::vector<ElementGraph> split(const ElementGraph& graph, std::span<const std::uint32_t> part_of,
                                const Groups& lists);

/// Communication between elements of different parts.
Weight cut_of(const ElementGraph& graph, std::span<const std::uint32_t> part_of);

/// Numbers parts, none of them empty, in the order of their lowest elements.
void number_by_lowest(std::vector<std::uint32_t>& part_of, std::uint32_t parts);

}  // namespace kith::treematch
