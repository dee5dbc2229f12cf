// The elements that are in no group yet, by how much they communicate with one another.
#pragma once

#include <algorithm>
#include <set>
#include <utility>

#include "mapping/published/treematch/k_partition.hpp"

namespace kith::treematch {

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
