// Communication between ranks, and between groups of them: what mappers that group level by level
// work on.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kith/traffic.hpp"

namespace kith {

/// Communication between the elements of one level, both directions stored; no element with itself,
/// neighbours in any order.
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
    return offsets[element + std::size_t{1}] - offsets[element];
  }
};

/// Group g holds the elements members[offsets[g]] .. members[offsets[g + 1] - 1], as chosen.
struct Groups {
  std::vector<std::uint32_t> offsets{0};
  std::vector<std::uint32_t> members;

  std::uint32_t size() const { return static_cast<std::uint32_t>(offsets.size() - 1); }
  std::span<const std::uint32_t> of(std::uint32_t group) const {
    return std::span(members).subspan(offsets[group], offsets[group + 1] - offsets[group]);
  }
  void close_group() { offsets.push_back(static_cast<std::uint32_t>(members.size())); }
};

/// The members of each of `groups` groups, ascending: element e belongs to group_of[e].
Groups groups_of(std::span<const std::uint32_t> group_of, std::uint32_t groups);

/// Each rank an element.
ElementGraph elements_of(const TrafficGraph& graph);

/// Communication between groups, to which each element belongs; cells of 0 are dropped. The weights
/// of the graph together must fit 64 bits. O(entries). The same for any number of threads.
ElementGraph communication_between(const ElementGraph& graph, const Groups& groups,
                                   unsigned threads = 1);

// TopoMatch's sparse factor: only the heaviest pairs are handed to a mapper.

/// The pairs whose weight is above `factor`, 0 to 1, x the heaviest. O(edges). (Jeannot: Process
/// mapping on any topology with TopoMatch, JPDC 170, 2022, section 4.3.2.)
TrafficGraph sparsified(const TrafficGraph& graph, double factor);

/// Keeps a pair if it is among the `most` heaviest pairs of one of its two ranks; of equal pairs,
/// those with the lower neighbour. At most ranks x most edges. O(edges).
TrafficGraph heaviest_pairs(const TrafficGraph& graph, std::uint32_t most);

}  // namespace kith
