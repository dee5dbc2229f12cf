#include "mapping/fill_slots.hpp"

#include <iterator>
#include <map>
#include <optional>

#include "kith/tree_machine.hpp"
#include "mapping/occupancy.hpp"
#include "objective/swap_gain.hpp"

namespace kith {
namespace {

template <class Distance>
class SlotFiller {
 public:
  SlotFiller(const MapProblem& problem, Mapping mapping, Distance distance)
      : problem_(problem),
        least_(problem.options.least),
        occupancy_(std::move(mapping)),
        gain_(problem.graph, occupancy_.mapping(), std::move(distance)),
        pinned_(problem.graph.ranks()) {
    for (const FixedRank& fixed : problem.options.fixed) {
      pinned_[fixed.rank.value] = occupancy_.mapping()[fixed.rank] == fixed.slot;
    }
  }

  Mapping run() {
    std::vector<Slot> short_slots;
    for (const Slot slot : problem_.machine.allowed().to_vector()) {
      if (occupancy_.count(slot) < least_) short_slots.push_back(slot);
      if (can_give(slot)) donors_.emplace(place(slot), slot);
    }
    for (const Slot slot : short_slots) {
      while (occupancy_.count(slot) < least_ && take_one(slot)) {
      }
    }
    return occupancy_.take();
  }

 private:
  /// Where a slot stands from left to right.
  std::uint32_t place(Slot slot) const {
    const TreeMachine* tree = problem_.machine.as_tree();
    return tree != nullptr ? tree->leaf_of_slot(slot) : slot.value;
  }

  bool can_give(Slot slot) const {
    if (occupancy_.count(slot) <= least_) return false;
    for (std::uint32_t r = occupancy_.first(slot); r != Occupancy::no_rank;
         r = occupancy_.next(r)) {
      if (!pinned_[r]) return true;
    }
    return false;
  }

  /// The donors around a slot, the nearest to the left and to the right.
  std::vector<Slot> donors_near(Slot slot) const {
    constexpr int each_side = 16;
    std::vector<Slot> near;
    const auto middle = donors_.lower_bound(place(slot));
    auto right = middle;
    for (int i = 0; i < each_side && right != donors_.end(); ++i) near.push_back((right++)->second);
    auto left = middle;
    for (int i = 0; i < each_side && left != donors_.begin(); ++i) {
      near.push_back((--left)->second);
    }
    return near;
  }

  bool take_one(Slot slot) {
    std::optional<SignedWide> cheapest;
    Rank who;
    for (const Slot donor : donors_near(slot)) {
      for (std::uint32_t r = occupancy_.first(donor); r != Occupancy::no_rank;
           r = occupancy_.next(r)) {
        if (pinned_[r]) continue;
        const SignedWide delta = gain_.move(Rank(r), slot);
        if (cheapest && (delta > *cheapest || (delta == *cheapest && r > who.value))) continue;
        cheapest = delta;
        who = Rank(r);
      }
    }
    if (!cheapest) return false;
    const Slot from = occupancy_.mapping()[who];
    occupancy_.move(who, slot);
    if (!can_give(from)) donors_.erase(place(from));
    return true;
  }

  const MapProblem& problem_;
  const std::uint32_t least_;
  Occupancy occupancy_;
  SwapGain<Distance> gain_;
  std::vector<bool> pinned_;
  std::map<std::uint32_t, Slot> donors_;  // by place: slots with more than their share
};

}  // namespace

Mapping fill_short_slots(const MapProblem& problem, Mapping mapping) {
  if (problem.options.least == 0) return mapping;
  return with_distance(problem.machine, problem.options.objective, [&](const auto& distance) {
    return SlotFiller(problem, std::move(mapping), distance).run();
  });
}

}  // namespace kith
