#include "mapping/place_surplus.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <type_traits>

#include "kith/detail/tree_machine.hpp"
#include "mapping/budget.hpp"
#include "mapping/occupancy.hpp"
#include "mapping/refine/near_slots.hpp"
#include "objective/swap_gain.hpp"

namespace kith {
namespace {

/// The free slots around another one on a tree: the nearest leaves to the left and right.
class FreeLeaves {
 public:
  explicit FreeLeaves(const Machine& machine) : tree_(*machine.as_tree()) {}
  void insert(Slot slot) { leaves_.insert(tree_.leaf_of_slot(slot)); }
  void erase(Slot slot) { leaves_.erase(tree_.leaf_of_slot(slot)); }
  void add_near(Slot slot, std::vector<Slot>& out) const {
    const auto right = leaves_.lower_bound(tree_.leaf_of_slot(slot));
    if (right != leaves_.end()) out.push_back(tree_.slot_of_leaf(*right));
    if (right != leaves_.begin()) out.push_back(tree_.slot_of_leaf(*std::prev(right)));
  }

 private:
  const TreeMachine& tree_;
  std::set<std::uint32_t> leaves_;
};

/// The same on any machine: those that NearSlots knows, and the next ones by number, so that there
/// always is one.
class FreeSlots {
 public:
  explicit FreeSlots(const Machine& machine) : near_(machine, false) {}
  void insert(Slot slot) { slots_.insert(slot); }
  void erase(Slot slot) { slots_.erase(slot); }
  void add_near(Slot slot, std::vector<Slot>& out) {
    const auto right = slots_.lower_bound(slot);
    if (right != slots_.end()) out.push_back(*right);
    if (right != slots_.begin()) out.push_back(*std::prev(right));
    near_.around(slot, around_);
    for (const SlotGroup& group : around_) {
      if (slots_.contains(group.first)) out.push_back(group.first);
    }
  }

 private:
  NearSlots near_;
  std::vector<SlotGroup> around_;
  std::set<Slot> slots_;
};

template <class Distance, class Free>
class SurplusPlacer {
 public:
  SurplusPlacer(const MapTask& problem, Mapping mapping, Distance distance)
      : problem_(problem),
        occupancy_(std::move(mapping)),
        gain_(problem.graph, occupancy_.mapping(), std::move(distance)),
        free_(problem.machine) {}

  Mapping run(std::span<const Slot> places) {
    const std::vector<Slot> overfull = overfull_slots();
    if (overfull.empty()) return occupancy_.take();
    for (const Slot slot : places) {
      if (occupancy_.count(slot) < problem_.options.capacity) free_.insert(slot);
    }
    for (const Slot slot : overfull) {
      while (occupancy_.count(slot) > problem_.options.capacity) move_one_away(slot);
    }
    return occupancy_.take();
  }

 private:
  std::vector<Slot> overfull_slots() const {
    std::vector<Slot> slots;
    for (const Slot slot : occupancy_.mapping().slot_of) {
      if (occupancy_.count(slot) > problem_.options.capacity) slots.push_back(slot);
    }
    std::ranges::sort(slots);
    const auto repeated = std::unique(slots.begin(), slots.end());
    slots.erase(repeated, slots.end());
    return slots;
  }

  void move_one_away(Slot slot) {
    std::optional<SignedWide> least;
    Rank who;
    Slot where;
    std::vector<std::uint32_t> ranks;
    for (std::uint32_t r = occupancy_.first(slot); r != Occupancy::no_rank;
         r = occupancy_.next(r)) {
      ranks.push_back(r);
    }
    std::ranges::sort(ranks);
    for (const std::uint32_t r : ranks) {
      for (const Slot to : nearest_free(Rank(r))) {
        const SignedWide delta = gain_.move(Rank(r), to);
        if (least && delta >= *least) continue;
        least = delta;
        who = Rank(r);
        where = to;
      }
    }
    occupancy_.move(who, where);
    if (occupancy_.count(where) == problem_.options.capacity) free_.erase(where);
  }

  /// The free slots around where the rank and those it talks to are.
  std::vector<Slot> nearest_free(Rank r) {
    std::vector<Slot> slots;
    free_.add_near(occupancy_.mapping()[r], slots);
    for (const Rank neighbour : problem_.graph.neighbours(r)) {
      free_.add_near(occupancy_.mapping()[neighbour], slots);
    }
    std::ranges::sort(slots);
    const auto repeated = std::unique(slots.begin(), slots.end());
    slots.erase(repeated, slots.end());
    return slots;
  }

  const MapTask problem_;
  Occupancy occupancy_;
  SwapGain<Distance> gain_;
  Free free_;  // slots with room
};

}  // namespace

Mapping place_surplus(const MapTask& problem, Mapping mapping, std::span<const Slot> places) {
  return with_distance(
      problem.machine, problem.options.objective, [&]<class Distance>(const Distance& distance) {
        using Free =
            std::conditional_t<std::is_same_v<Distance, TreeDistance>, FreeLeaves, FreeSlots>;
        return SurplusPlacer<Distance, Free>(problem, std::move(mapping), distance).run(places);
      });
}

}  // namespace kith
