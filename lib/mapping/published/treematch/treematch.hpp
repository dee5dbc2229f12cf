// The parts of TopoMatch: grouping of the elements of one level, the tree level by level, division
// into k parts. Algorithm 1 of Jeannot: "Process mapping on any topology with TopoMatch", JPDC 170,
// 2022 (below "the paper"): the elements of one level, as many as `arity` divides, become groups of
// `arity`. Each function returns the group of each element; groups are numbered by their lowest
// elements.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "kith/detail/tree_machine.hpp"
#include "kith/mapper.hpp"
#include "mapping/budget.hpp"
#include "mapping/element_graph.hpp"

namespace kith::treematch {

// Parts of given sizes with little communication between them: what TopoMatch's algorithms 1 and 3
// call k-way partitioning, "using either Scotch or a greedy partitioner that minimises the cut".

/// The communication within each part: element i of a part's graph is the i-th of its list.
/// part_of[e] is the part of element e, `lists` the same as groups_of().
std::vector<ElementGraph> split(const ElementGraph& graph, std::span<const std::uint32_t> part_of,
                                const Groups& lists);

/// Communication between elements of different parts.
Weight cut_of(const ElementGraph& graph, std::span<const std::uint32_t> part_of);

/// Numbers parts, none of them empty, in the order of their lowest elements.
void number_by_lowest(std::vector<std::uint32_t>& part_of, std::uint32_t parts);

enum class Partitioner { best, scotch, greedy };

struct PartitionOptions {
  Partitioner partitioner = Partitioner::best;
  std::uint64_t seed = 1;
  Budget* budget = nullptr;  ///< null: unlimited
};

/// The part of each element, exactly sizes[p] in part p; the sizes, none of them 0, add up to the
/// elements.
///
/// The paper leaves open which partitioner is used when. Here, `best`: Scotch and, where that is
/// affordable, the greedy ones; the least cut is taken, Scotch's among equals. When the time of the
/// budget is up, elements fill the parts in order.
std::vector<std::uint32_t> k_partition(const ElementGraph& graph,
                                       std::span<const std::uint32_t> sizes,
                                       const PartitionOptions& options);

/// Scotch's k-way partition, followed by the balancing of what it leaves uneven: the element that
/// loses least goes from a part with too many to one with too few. Scotch runs in a child process
/// (scotch::in_child()) unless the graph is small; nothing when the time of `budget` is up.
std::optional<std::vector<std::uint32_t>> scotch_partition(const ElementGraph& graph,
                                                           std::span<const std::uint32_t> sizes,
                                                           std::uint64_t seed,
                                                           Budget* budget = nullptr);

/// One part after the other grows by the element with the most communication to it. Among equals
/// that counts which prepares most communication for the next one, then the lowest. O(elements x
/// degree log).
std::vector<std::uint32_t> growing_partition(const ElementGraph& graph,
                                             std::span<const std::uint32_t> sizes);

/// Halves of halves: each half grows by the element that adds least to the cut, from a few of the
/// elements that communicate least, once with ties to the lowest and once to the highest index; the
/// least cut of these is taken. O(elements x degree log elements log parts).
std::vector<std::uint32_t> bisecting_partition(const ElementGraph& graph,
                                               std::span<const std::uint32_t> sizes);

/// What algorithm 1 chooses.
enum class GroupingMethod { exhaustive, bucket, fast, k_partition };
GroupingMethod grouping_method(std::uint32_t elements, std::uint32_t arity,
                               std::uint64_t threshold);

/// The largest threshold: groups are listed, four bytes a member.
inline constexpr std::uint64_t max_threshold = 1'000'000;

/// Algorithm 1.
std::vector<std::uint32_t> group_elements(const ElementGraph& graph, std::uint32_t arity,
                                          std::uint64_t threshold, const PartitionOptions& options);

/// Lines 11 to 18. At most max_threshold groups are possible.
std::vector<std::uint32_t> exhaustive_grouping(const ElementGraph& graph, std::uint32_t arity);
/// Line 4.
std::vector<std::uint32_t> bucket_grouping(const ElementGraph& graph, std::uint64_t seed);
/// Line 7. `arity` is 2 to 5.
std::vector<std::uint32_t> fast_grouping(const ElementGraph& graph, std::uint32_t arity);

// TopoMatch on trees: the ranks' places among leaves.

struct TreeOptions {
  std::uint64_t threshold = 0;  ///< of algorithm 1
  PartitionOptions partition;
};

/// Algorithm 1, level by level, on a symmetric tree all of whose slots may be used.
Mapping map_by_groups(const MapTask& problem, const TreeMachine& tree, const TreeOptions& options);

/// Algorithm 3: any tree, any of its slots.
Mapping map_by_partition(const MapTask& problem, const TreeMachine& tree,
                         const TreeOptions& options);

/// Each change costs O(degree log elements).
class FreeElements {
 public:
  explicit FreeElements(const ElementGraph& graph)
      : graph_(graph), left_(graph.size()), free_(graph.size(), true) {
    std::vector<Key> keys;
    for (std::uint32_t e = 0; e < graph.size(); ++e) {
      left_[e] = graph.communication(e);
      keys.emplace_back(left_[e], e);
    }
    std::ranges::sort(keys);
    by_communication_.insert(keys.begin(), keys.end());
  }

  bool empty() const { return by_communication_.empty(); }
  bool contains(std::uint32_t element) const { return free_[element]; }

  /// Where a group begins: the element that communicates least with the others, so that none is
  /// left behind among groups; silent ones last. Ties: the lowest.
  std::uint32_t seed() const {
    const auto speaking = by_communication_.lower_bound({1, 0});
    return (speaking != by_communication_.end() ? speaking : by_communication_.begin())->second;
  }

  /// The element that a group without connected ones takes, not accepted by `taken`: the one that
  /// others miss least, silent ones first. Precondition: there is one.
  template <class Taken>
  std::uint32_t cheapest(Taken&& taken) const {
    auto it = by_communication_.begin();
    while (taken(it->second)) ++it;
    return it->second;
  }

  void take(std::uint32_t element) {
    free_[element] = false;
    by_communication_.erase({left_[element], element});
    const auto neighbours = graph_.neighbours_of(element);
    const auto weights = graph_.weights_of(element);
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      const std::uint32_t other = neighbours[i];
      if (!free_[other] || weights[i] == 0) continue;
      by_communication_.erase({left_[other], other});
      left_[other] -= weights[i];
      by_communication_.insert({left_[other], other});
    }
  }

 private:
  using Key = std::pair<Weight, std::uint32_t>;
  const ElementGraph& graph_;
  std::vector<Weight> left_;  // communication with free elements
  std::vector<bool> free_;
  std::set<Key> by_communication_;
};

}  // namespace kith::treematch
