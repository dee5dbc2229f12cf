// Slots where a rank might cost less: near the ranks that it talks to.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "kith/detail/tree_machine.hpp"
#include "mapping/constraints.hpp"
#include "mapping/refine/near_slots.hpp"
#include "objective/swap_gain.hpp"

namespace kith {

/// The heaviest neighbours of a rank, at most `most`; the lower rank first among equals.
inline void heaviest_neighbours(const TrafficGraph& graph, Rank r, std::size_t most,
                                std::vector<Rank>& out) {
  const auto neighbours = graph.neighbours(r);
  out.assign(neighbours.begin(), neighbours.end());
  if (out.size() <= most) return;
  const auto weights = graph.weights(r);
  std::vector<std::uint32_t> order(neighbours.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto heavier = [&](std::uint32_t a, std::uint32_t b) {
    return weights[a] != weights[b] ? weights[a] > weights[b] : a < b;
  };
  std::ranges::nth_element(order, order.begin() + static_cast<std::ptrdiff_t>(most), heavier);
  order.resize(most);
  std::ranges::sort(order);
  out.clear();
  for (const std::uint32_t i : order) out.push_back(neighbours[i]);
}

/// In a tree, slots with the same parent are equal to a rank that is elsewhere: the objects of the
/// lowest level that hold neighbours are looked at, and only those that bring r nearer.
class TreeCandidates {
 public:
  /// What is known of all swaps of r with the ranks of an object before they are looked at.
  struct Floor {
    SignedWide of_r = 0;        ///< what r pays more there, beside all its ranks
    std::uint64_t between = 0;  ///< from there to the place of r
  };

  TreeCandidates(const TrafficGraph& graph, const Mapping& mapping, const TreeDistance& distance,
                 std::uint32_t capacity)
      : graph_(graph),
        mapping_(mapping),
        distance_(distance),
        // With several ranks to a slot the slot itself is the object: its ranks are at distance 0.
        level_(distance.tree().depth() - (capacity == 1 ? 1 : 0)),
        beside_(distance.at_level(level_)),
        lowest_(beside_),
        shares_(graph.ranks()),
        gain_(graph, mapping, GroupDistance{distance, level_}) {
    for (unsigned l = 0; l < level_; ++l) lowest_ = std::min(lowest_, distance.at_level(l));
  }

  /// No swap of r with `partner` changes the objective by less.
  SignedWide least_change(Rank partner, const Floor& floor) {
    const Share& share = share_of(partner);
    // Where both would be nearer to each other if they were farther apart, nothing is known.
    const bool is_odd = floor.between < beside_;
    if (is_odd || share.outside == too_large) return std::numeric_limits<SignedWide>::min();
    const auto longer = static_cast<SignedWide>(floor.between) - static_cast<SignedWide>(beside_);
    return floor.of_r + static_cast<SignedWide>(share.beside) * longer -
           static_cast<SignedWide>(share.outside);
  }

  /// To be called when r has got another slot.
  void moved(Rank r) {
    shares_[r.value] = {};
    for (const Rank neighbour : graph_.neighbours(r)) shares_[neighbour.value] = {};
  }

  /// Calls visit(slot, floor) for candidate slots of r; pay() before each test of its own, until
  /// that is false.
  template <class Pay, class Visit>
  void for_each(Rank r, Pay&& pay, Visit&& visit) {
    constexpr std::size_t most_neighbours = 32;
    heaviest_neighbours(graph_, r, most_neighbours, neighbours_);
    seen_.clear();
    seen_.push_back(object_of(mapping_[r]));
    for (const Rank neighbour : neighbours_) {
      const Slot there = mapping_[neighbour];
      const std::uint64_t object = object_of(there);
      if (std::ranges::find(seen_, object) != seen_.end()) continue;
      seen_.push_back(object);
      if (!pay()) return;
      const Floor floor{gain_.move(r, there), distance_(mapping_[r], there)};
      if (floor.of_r >= 0) continue;  // no slot below this object can lower r's share
      visit_slots(object, there, floor, visit);
    }
  }

 private:
  /// Charges all slots of an object as places beside each other.
  struct GroupDistance {
    TreeDistance distance;
    unsigned level;
    std::uint64_t operator()(Slot a, Slot b) const {
      return distance.at_level(std::min(distance.tree().meeting(a, b), level));
    }
  };

  std::uint64_t object_of(Slot slot) const {
    const TreeMachine& tree = distance_.tree();
    const std::uint64_t leaf = tree.leaf_of_slot(slot);
    return level_ == tree.depth() ? leaf : tree.parent(tree.depth(), leaf);
  }

  static constexpr std::uint64_t too_large = UINT64_MAX;  // for 64 bits
  static constexpr std::uint64_t not_known = UINT64_MAX - 1;

  /// Of what a rank sends and receives. Small: they are looked at in any order.
  struct Share {
    std::uint64_t beside = 0;  ///< with ranks of its object
    std::uint64_t outside =
        not_known;  ///< with others: what it would pay less if they came nearest
  };

  const Share& share_of(Rank r) {
    Share& share = shares_[r.value];
    if (share.outside != not_known) return share;
    Wide beside = 0;
    Wide outside = 0;
    const std::uint64_t object = object_of(mapping_[r]);
    const auto neighbours = graph_.neighbours(r);
    const auto weights = graph_.weights(r);
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      const Slot there = mapping_[neighbours[i]];
      if (object_of(there) == object) {
        beside += weights[i];
      } else {
        outside += Wide{weights[i]} * (distance_(mapping_[r], there) - lowest_);
      }
    }
    const bool fits = beside < not_known && outside < not_known;
    share = fits ? Share{static_cast<std::uint64_t>(beside), static_cast<std::uint64_t>(outside)}
                 : Share{0, too_large};
    return share;
  }

  template <class Visit>
  void visit_slots(std::uint64_t object, Slot near, const Floor& floor, Visit&& visit) const {
    constexpr std::uint64_t most_slots = 64;
    const TreeMachine& tree = distance_.tree();
    std::uint64_t first = tree.first_leaf(level_, object);
    std::uint64_t last = tree.first_leaf(level_, object + 1);
    if (last - first > most_slots) {  // a window around the neighbour
      const std::uint64_t leaf = tree.leaf_of_slot(near);
      first = std::max(first, leaf - std::min(leaf, most_slots / 2));
      last = std::min(last, first + most_slots);
    }
    for (std::uint64_t leaf = first; leaf < last; ++leaf) {
      const Slot slot = tree.slot_of_leaf(leaf);
      if (tree.allowed().contains(slot)) visit(slot, floor);
    }
  }

  const TrafficGraph& graph_;
  const Mapping& mapping_;
  TreeDistance distance_;
  unsigned level_;
  std::uint64_t beside_;  ///< between slots of an object
  std::uint64_t lowest_;  ///< between any two
  std::vector<Share> shares_;
  SwapGain<GroupDistance> gain_;
  std::vector<Rank> neighbours_;
  std::vector<std::uint64_t> seen_;
};

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
