#include "mapping/place_surplus.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>

#include "mapping/occupancy.hpp"
#include "objective/swap_gain.hpp"

namespace kith {
namespace {

class SurplusPlacer {
 public:
  SurplusPlacer(const MapProblem& problem, Mapping mapping)
      : problem_(problem),
        tree_(*problem.machine.as_tree()),
        occupancy_(std::move(mapping)),
        gain_(problem.graph, occupancy_.mapping(), TreeDistance(tree_, problem.options.objective)) {
  }

  Mapping run(std::span<const Slot> places) {
    const std::vector<Slot> overfull = overfull_slots();
    if (overfull.empty()) return occupancy_.take();
    for (const Slot slot : places) {
      if (occupancy_.count(slot) < problem_.options.capacity) {
        free_.insert(tree_.leaf_of_slot(slot));
      }
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
    std::uint32_t where = 0;
    std::vector<std::uint32_t> ranks;
    for (std::uint32_t r = occupancy_.first(slot); r != Occupancy::no_rank;
         r = occupancy_.next(r)) {
      ranks.push_back(r);
    }
    std::ranges::sort(ranks);
    for (const std::uint32_t r : ranks) {
      for (const std::uint32_t leaf : nearest_free(Rank(r))) {
        const SignedWide delta = gain_.move(Rank(r), tree_.slot_of_leaf(leaf));
        if (least && delta >= *least) continue;
        least = delta;
        who = Rank(r);
        where = leaf;
      }
    }
    const Slot to = tree_.slot_of_leaf(where);
    occupancy_.move(who, to);
    if (occupancy_.count(to) == problem_.options.capacity) free_.erase(where);
  }

  /// The free leaves to the left and right of where the rank and those it talks to are.
  std::vector<std::uint32_t> nearest_free(Rank r) const {
    std::vector<std::uint32_t> leaves;
    const auto look_around = [&](Slot slot) {
      const auto right = free_.lower_bound(tree_.leaf_of_slot(slot));
      if (right != free_.end()) leaves.push_back(*right);
      if (right != free_.begin()) leaves.push_back(*std::prev(right));
    };
    look_around(occupancy_.mapping()[r]);
    for (const Rank neighbour : problem_.graph.neighbours(r)) {
      look_around(occupancy_.mapping()[neighbour]);
    }
    std::ranges::sort(leaves);
    const auto repeated = std::unique(leaves.begin(), leaves.end());
    leaves.erase(repeated, leaves.end());
    return leaves;
  }

  const MapProblem& problem_;
  const TreeMachine& tree_;
  Occupancy occupancy_;
  SwapGain<TreeDistance> gain_;
  std::set<std::uint32_t> free_;  // leaves with room
};

}  // namespace

Mapping place_surplus(const MapProblem& problem, Mapping mapping, std::span<const Slot> places) {
  return SurplusPlacer(problem, std::move(mapping)).run(places);
}

}  // namespace kith
