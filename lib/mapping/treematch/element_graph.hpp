// What TreeMatch groups: ranks at first, then the groups of the level before.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kith/traffic.hpp"

namespace kith::treematch {

/// Communication between the elements of one level, both directions stored, no loops.
struct ElementGraph {
  std::vector<std::uint64_t> offsets{0};  ///< of length size() + 1
  std::vector<std::uint32_t> neighbours;
  std::vector<Weight> weights;

  std::uint32_t size() const { return static_cast<std::uint32_t>(offsets.size() - 1); }
  std::span<const std::uint32_t> neighbours_of(std::uint32_t element) const {
    return std::span(neighbours).subspan(offsets[element], degree(element));
  }
  std::span<const Weight> weights_of(std::uint32_t element) const {
    return std::span(weights).subspan(offsets[element], degree(element));
  }
  /// Sum of an element's weights.
  Weight communication(std::uint32_t element) const;
  /// Appends silent elements until there are `size` of them.
  void pad(std::uint32_t size) { offsets.resize(size + std::size_t{1}, offsets.back()); }

 private:
  std::uint64_t degree(std::uint32_t element) const {
    return offsets[element + 1] - offsets[element];
  }
};

/// One element per rank.
ElementGraph elements_of(const TrafficGraph& graph);

/// One element per part: part_of[e] is below `parts`.
ElementGraph aggregate(const ElementGraph& graph, std::span<const std::uint32_t> part_of,
                       std::uint32_t parts);

/// Members of each part, ascending: those of part p are members[offsets[p]] .. [offsets[p + 1] -
/// 1].
struct PartLists {
  std::vector<std::uint32_t> offsets;
  std::vector<std::uint32_t> members;
  std::span<const std::uint32_t> of(std::uint32_t part) const {
    return std::span(members).subspan(offsets[part], offsets[part + 1] - offsets[part]);
  }
};
PartLists lists_of(std::span<const std::uint32_t> part_of, std::uint32_t parts);

/// The communication within each part: element i of a part's graph is the i-th of its list.
std::vector<ElementGraph> split(const ElementGraph& graph, std::span<const std::uint32_t> part_of,
                                const PartLists& lists);

/// Communication between elements of different parts.
Weight cut_of(const ElementGraph& graph, std::span<const std::uint32_t> part_of);

/// Numbers parts, none of them empty, in the order of their lowest elements.
void number_by_lowest(std::vector<std::uint32_t>& part_of, std::uint32_t parts);

}  // namespace kith::treematch
