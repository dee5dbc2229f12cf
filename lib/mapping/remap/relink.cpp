#include "mapping/remap/remap.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

#include "graph/grid_detection/connected_graph.hpp"
#include "mapping/budget.hpp"
#include "mapping/remap/hierarchy.hpp"
#include "mapping/value.hpp"
#include "objective/distance.hpp"

namespace kith {
namespace {

using remap::Hierarchy;

/// Ranks that are elsewhere in two mappings, in groups closed under the change: the slots that the
/// ranks of a group leave and those that they go to lie in objects that no other group uses.
class ClosedGroups {
 public:
  /// `object_of(slot)` is the object that holds a slot.
  template <class ObjectOf>
  ClosedGroups(const Mapping& before, const Mapping& after, const ObjectOf& object_of) {
    for (Rank r(0); r.value < before.ranks(); ++r) {
      if (before[r] == after[r]) continue;
      moved_.push_back(r);
      objects_.push_back(object_of(before[r]));
      objects_.push_back(object_of(after[r]));
    }
    std::ranges::sort(objects_);
    objects_.erase(std::unique(objects_.begin(), objects_.end()), objects_.end());
    DisjointSets sets(static_cast<std::uint32_t>(objects_.size()));
    for (const Rank r : moved_) {
      sets.unite(index(object_of(before[r])), index(object_of(after[r])));
    }
    std::vector<std::uint32_t> group_of(moved_.size());
    for (std::size_t i = 0; i < moved_.size(); ++i) {
      group_of[i] = sets.find(index(object_of(before[moved_[i]])));
    }
    collect(group_of);
  }

  std::size_t size() const { return first_.size() - 1; }
  /// Ascending.
  std::span<const Rank> operator[](std::size_t i) const {
    return {ranks_.data() + first_[i], ranks_.data() + first_[i + 1]};
  }

 private:
  std::uint32_t index(std::uint32_t object) const {
    return static_cast<std::uint32_t>(std::ranges::lower_bound(objects_, object) -
                                      objects_.begin());
  }

  void collect(const std::vector<std::uint32_t>& group_of) {
    std::vector<std::uint32_t> order(moved_.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return group_of[i]; });
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (i == 0 || group_of[order[i]] != group_of[order[i - 1]]) first_.push_back(i);
      ranks_.push_back(moved_[order[i]]);
    }
    first_.push_back(order.size());
  }

  std::vector<Rank> moved_;
  std::vector<std::uint32_t> objects_;
  std::vector<Rank> ranks_;
  std::vector<std::size_t> first_;
};

template <class Distance>
class Relinker {
 public:
  Relinker(const MapTask& problem, const Mapping& stay, Mapping mapping, const Distance& distance)
      : graph_(problem.graph),
        budget_(problem.budget),
        stay_(stay),
        mapping_(std::move(mapping)),
        distance_(distance),
        move_cost_(problem.options),
        in_group_(graph_.ranks()) {}

  template <class ObjectOf>
  void take_back(const ObjectOf& object_of) {
    constexpr int most_sweeps = 4;
    for (int sweep = 0; sweep < most_sweeps; ++sweep) {
      const ClosedGroups groups(stay_, mapping_, object_of);
      bool changed = false;
      for (std::size_t i = 0; i < groups.size(); ++i) {
        if (budget_ != nullptr && !budget_->spend(groups[i].size())) return;
        if (!change(groups[i]).is_gain()) continue;
        for (const Rank r : groups[i]) mapping_.slot_of[r.value] = stay_[r];
        changed = true;
      }
      if (!changed) return;
    }
  }

  Mapping take() { return std::move(mapping_); }

 private:
  /// Change of the value if all ranks of a group go back.
  ValueChange change(std::span<const Rank> group) {
    for (const Rank r : group) in_group_[r.value] = true;
    ValueChange change;
    for (const Rank r : group) {
      const auto neighbours = graph_.neighbours(r);
      const auto weights = graph_.weights(r);
      Wide before = 0;
      Wide after = 0;
      for (std::size_t i = 0; i < neighbours.size(); ++i) {
        const Rank other = neighbours[i];
        const bool both = in_group_[other.value];
        if (both && other < r) continue;  // counted once
        before += Wide{weights[i]} * distance_(mapping_[r], mapping_[other]);
        after += Wide{weights[i]} * distance_(stay_[r], both ? stay_[other] : mapping_[other]);
      }
      change.total += static_cast<SignedWide>(after - before);
      change += move_cost_.change(r, mapping_[r], stay_[r]);
    }
    for (const Rank r : group) in_group_[r.value] = false;
    return change;
  }

  const TrafficGraph& graph_;
  Budget* const budget_;
  const Mapping& stay_;
  Mapping mapping_;
  const Distance& distance_;
  MoveCost move_cost_;
  std::vector<bool> in_group_;
};

}  // namespace

Mapping relink(const MapTask& problem, const Mapping& stay, Mapping mapping) {
  return with_distance(problem.machine, problem.options.objective, [&](const auto& distance) {
    Relinker relinker(problem, stay, std::move(mapping), distance);
    if (const auto hierarchy = Hierarchy::of(problem.machine)) {
      for (unsigned depth = 1; depth < hierarchy->depth(); ++depth) {
        relinker.take_back([&](Slot slot) {
          std::uint32_t object = hierarchy->leaf_of(slot);
          for (unsigned level = hierarchy->depth(); level > depth; --level) {
            object = hierarchy->parent(level, object);
          }
          return object;
        });
      }
    }
    relinker.take_back([](Slot slot) { return slot.value; });
    return relinker.take();
  });
}

}  // namespace kith
