#include "mapping/constraints.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <type_traits>

#include "kith/detail/tree_machine.hpp"
#include "kith/error.hpp"
#include "mapping/budget.hpp"
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

namespace {

std::string text_of(const FixedRank& fixed) {
  return std::to_string(fixed.rank.value) + "=" + std::to_string(fixed.slot.value);
}

/// Leaves below one object of a tree.
struct Subtree {
  unsigned level;
  std::uint64_t object;
  std::uint64_t first;
  std::uint64_t last;  ///< exclusive
};

Subtree subtree_above(const TreeMachine& tree, Slot slot, unsigned level) {
  const std::uint64_t object = tree.ancestor(tree.leaf_of_slot(slot), level);
  return {level, object, tree.first_leaf(level, object), tree.first_leaf(level, object + 1)};
}

/// The same numbers of children all the way down, and the same leaves allowed.
bool equal_shape(const TreeMachine& tree, const Subtree& a, const Subtree& b) {
  if (a.last - a.first != b.last - b.first) return false;
  if (tree.is_symmetric() && tree.allowed().size() == tree.slots()) return true;
  std::uint64_t first_a = a.object;
  std::uint64_t first_b = b.object;
  std::uint64_t objects = 1;
  for (unsigned level = a.level; level < tree.depth(); ++level) {
    const std::uint64_t below_a = tree.first_child(level, first_a);
    const std::uint64_t below_b = tree.first_child(level, first_b);
    for (std::uint64_t i = 1; i <= objects; ++i) {
      if (tree.first_child(level, first_a + i) - below_a !=
          tree.first_child(level, first_b + i) - below_b) {
        return false;
      }
    }
    objects = tree.first_child(level, first_a + objects) - below_a;
    first_a = below_a;
    first_b = below_b;
  }
  if (tree.allowed().size() == tree.slots()) return true;
  for (std::uint64_t i = 0; i < a.last - a.first; ++i) {
    if (tree.allowed().contains(tree.slot_of_leaf(a.first + i)) !=
        tree.allowed().contains(tree.slot_of_leaf(b.first + i))) {
      return false;
    }
  }
  return true;
}

class FixedRankPlacer {
 public:
  FixedRankPlacer(const MapTask& problem, Mapping mapping)
      : problem_(problem),
        tree_(problem.machine.as_tree()),
        occupancy_(std::move(mapping)),
        pinned_(problem.graph.ranks()) {}

  Mapping run() {
    for (const FixedRank& fixed : problem_.options.fixed) {
      if (tree_ != nullptr) approach(fixed);
      if (occupancy_.mapping()[fixed.rank] != fixed.slot) exchange(fixed);
      pinned_[fixed.rank.value] = true;
      if (tree_ != nullptr) pinned_leaves_.insert(tree_->leaf_of_slot(fixed.slot));
    }
    return occupancy_.take();
  }

 private:
  /// Swaps subtrees below the lowest common ancestor, level by level, as long as that is possible.
  void approach(const FixedRank& fixed) {
    while (true) {
      const Slot from = occupancy_.mapping()[fixed.rank];
      if (from == fixed.slot) return;
      const unsigned level = tree_->meeting(from, fixed.slot) + 1;
      const Subtree here = subtree_above(*tree_, from, level);
      const Subtree there = subtree_above(*tree_, fixed.slot, level);
      if (holds_pinned(here) || holds_pinned(there) || !equal_shape(*tree_, here, there)) return;
      exchange_subtrees(here, there);
    }
  }

  void exchange_subtrees(const Subtree& here, const Subtree& there) {
    const std::uint64_t size = here.last - here.first;
    if (size <= occupancy_.mapping().ranks()) {
      for (std::uint64_t i = 0; i < size; ++i) {
        occupancy_.swap_slots(tree_->slot_of_leaf(here.first + i),
                              tree_->slot_of_leaf(there.first + i));
      }
      return;
    }
    for (Rank r(0); r.value < occupancy_.mapping().ranks(); ++r) {
      const std::uint64_t leaf = tree_->leaf_of_slot(occupancy_.mapping()[r]);
      if (leaf >= here.first && leaf < here.last) {
        occupancy_.move(r, tree_->slot_of_leaf(leaf - here.first + there.first));
      } else if (leaf >= there.first && leaf < there.last) {
        occupancy_.move(r, tree_->slot_of_leaf(leaf - there.first + here.first));
      }
    }
  }

  bool holds_pinned(const Subtree& subtree) const {
    const auto next = pinned_leaves_.lower_bound(subtree.first);
    return next != pinned_leaves_.end() && *next < subtree.last;
  }

  void exchange(const FixedRank& fixed) {
    with_distance(problem_.machine, problem_.options.objective, [&](const auto& distance) {
      const SwapGain gain(problem_.graph, occupancy_.mapping(), distance);
      std::optional<SignedWide> least;
      std::uint32_t partner = Occupancy::no_rank;
      if (occupancy_.count(fixed.slot) < problem_.options.capacity) {
        least = gain.move(fixed.rank, fixed.slot);
      }
      for (std::uint32_t r = occupancy_.first(fixed.slot); r != Occupancy::no_rank;
           r = occupancy_.next(r)) {
        if (pinned_[r]) continue;
        const SignedWide delta = gain.swap(fixed.rank, Rank(r));
        if (!least || delta < *least || (delta == *least && r < partner)) {
          least = delta;
          partner = r;
        }
      }
      if (partner == Occupancy::no_rank) {
        occupancy_.move(fixed.rank, fixed.slot);
      } else {
        occupancy_.swap(fixed.rank, Rank(partner));
      }
    });
  }

  const MapTask problem_;
  const TreeMachine* tree_;
  Occupancy occupancy_;
  std::vector<bool> pinned_;
  std::set<std::uint64_t> pinned_leaves_;
};

}  // namespace

void check_fixed_ranks(const MapTask& problem) {
  std::map<Rank, Slot> slot_of;
  std::map<Slot, std::uint32_t> ranks_on;
  for (const FixedRank& fixed : problem.options.fixed) {
    if (fixed.rank.value >= problem.graph.ranks()) {
      throw bad_argument("fix", "a rank below " + std::to_string(problem.graph.ranks()),
                         text_of(fixed));
    }
    if (fixed.slot.value >= problem.machine.slots()) {
      throw bad_argument("fix", "a slot below " + std::to_string(problem.machine.slots()),
                         text_of(fixed));
    }
    if (!problem.machine.allowed().contains(fixed.slot)) {
      throw bad_argument(
          "fix", "an allowed slot, neither forbidden nor left out by ;slots=", text_of(fixed));
    }
    const auto [known, is_new] = slot_of.try_emplace(fixed.rank, fixed.slot);
    if (!is_new && known->second != fixed.slot) {
      throw bad_argument("fix", "each rank once",
                         text_of({fixed.rank, known->second}) + " and " + text_of(fixed));
    }
    if (is_new && ++ranks_on[fixed.slot] > problem.options.capacity) {
      throw bad_argument("fix",
                         "at most " + std::to_string(problem.options.capacity) + " ranks on a slot",
                         "one more with " + text_of(fixed));
    }
  }
}

bool keeps_fixed_ranks(const Mapping& mapping, std::span<const FixedRank> fixed) {
  return std::ranges::all_of(
      fixed, [&](const FixedRank& wish) { return mapping[wish.rank] == wish.slot; });
}

Mapping place_fixed_ranks(const MapTask& problem, Mapping mapping) {
  if (problem.options.fixed.empty()) return mapping;
  return FixedRankPlacer(problem, std::move(mapping)).run();
}

}  // namespace kith
