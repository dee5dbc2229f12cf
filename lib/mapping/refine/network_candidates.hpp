// Where a rank might be better off on a machine that is no tree.
#pragma once

#include <algorithm>
#include <vector>

#include "mapping/refine/candidates.hpp"
#include "mapping/refine/near_slots.hpp"

namespace kith {

/// The slots around those of a rank's heaviest neighbours. Of a swap at least one of the two ranks
/// must gain, and is looked at itself: only groups of slots that bring r nearer are gone through.
template <class Distance>
class NetworkCandidates {
 public:
  NetworkCandidates(const TrafficGraph& graph, const Mapping& mapping, const Machine& machine,
                    const Distance& distance, std::uint32_t capacity)
      : graph_(graph),
        mapping_(mapping),
        allowed_(machine.allowed()),
        // With several ranks to a slot its ranks are at distance 0, others of its group are not.
        near_(machine, capacity == 1),
        gain_(graph, mapping, distance) {}

  /// As TreeCandidates::for_each().
  template <class Pay, class Visit>
  void for_each(Rank r, Pay&& pay, Visit&& visit) {
    constexpr std::size_t most_neighbours = 16;
    heaviest_neighbours(graph_, r, most_neighbours, neighbours_);
    seen_.clear();
    seen_.push_back(near_.group_of(mapping_[r]).first);
    for (const Rank neighbour : neighbours_) {
      near_.around(mapping_[neighbour], groups_);
      for (const SlotGroup& group : groups_) {
        if (std::ranges::find(seen_, group.first) != seen_.end()) continue;
        seen_.push_back(group.first);
        if (!pay()) return;
        if (gain_.move(r, first_allowed(group)) < 0) visit_slots(group, visit);
      }
    }
  }

 private:
  Slot first_allowed(const SlotGroup& group) const {
    return allowed_.at(allowed_.index_of(group.first));
  }

  template <class Visit>
  void visit_slots(const SlotGroup& group, Visit&& visit) const {
    constexpr std::uint32_t most_slots = 64;
    const std::uint32_t size = std::min(group.size, most_slots);
    for (std::uint32_t i = 0; i < size; ++i) {
      const Slot slot(group.first.value + i);
      if (allowed_.contains(slot)) visit(slot);
    }
  }

  const TrafficGraph& graph_;
  const Mapping& mapping_;
  const SlotSet& allowed_;
  NearSlots near_;
  SwapGain<Distance> gain_;
  std::vector<Rank> neighbours_;
  std::vector<SlotGroup> groups_;
  std::vector<Slot> seen_;
};

}  // namespace kith
