#include "mapping/remap/remap.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <queue>
#include <unordered_map>
#include <vector>

#include "kith/detail/tree_machine.hpp"
#include "kith/machine.hpp"
#include "mapping/budget.hpp"
#include "mapping/refine/candidates.hpp"
#include "mapping/refine/near_slots.hpp"

namespace kith {
namespace {

/// Allowed slots in the order in which the machine puts neighbours side by side: a tree's leaves
/// from left to right, else by number. Memory: 16 bytes for each rank placed; on trees whose slots
/// are not in leaf order also 4 for each allowed slot. Holds a reference to the machine.
class FreeSlots {
 public:
  /// All are empty and have room for `capacity` ranks.
  FreeSlots(const Machine& machine, std::uint32_t capacity);

  /// Takes a place on an allowed slot; false, and nothing taken, where none is left.
  bool take(Slot slot);
  bool has_room(Slot slot) const;
  /// Slots with room.
  std::uint64_t size() const { return size_; }
  /// The nearest with room from `slot` on, an existing one, to the right and to the left of it.
  std::optional<Slot> right_of(Slot slot);
  std::optional<Slot> left_of(Slot slot);
  /// The first with room. Precondition: size() > 0.
  Slot first();
  /// All of them, in order. O(allowed slots).
  std::vector<Slot> all() const;

 private:
  /// Ways along full slots, shortened as they are walked.
  using Skips = std::unordered_map<std::uint64_t, std::uint64_t>;
  static std::uint64_t follow(Skips& skips, std::uint64_t position);
  /// Positions are 1 .. allowed slots, so that 0 and allowed slots + 1 are the ends.
  std::uint64_t position(Slot slot) const;
  std::optional<Slot> at(std::uint64_t position) const;

  const Machine& machine_;
  const std::uint32_t capacity_;
  std::vector<std::uint32_t> leaves_;  // allowed ones, where slots are not in their order
  std::unordered_map<std::uint64_t, std::uint32_t> taken_;
  Skips right_;
  Skips left_;
  std::uint64_t size_;
};

FreeSlots::FreeSlots(const Machine& machine, std::uint32_t capacity)
    : machine_(machine), capacity_(capacity), size_(machine.allowed().size()) {
  const TreeMachine* tree = machine.as_tree();
  if (tree != nullptr && !tree->slots_in_leaf_order()) leaves_ = tree->allowed_leaves();
}

std::uint64_t FreeSlots::position(Slot slot) const {
  if (leaves_.empty()) return machine_.allowed().index_of(slot) + 1;
  const std::uint32_t leaf = machine_.as_tree()->leaf_of_slot(slot);
  return static_cast<std::uint64_t>(std::ranges::lower_bound(leaves_, leaf) - leaves_.begin()) + 1;
}

std::optional<Slot> FreeSlots::at(std::uint64_t position) const {
  if (position == 0 || position > machine_.allowed().size()) return std::nullopt;
  if (leaves_.empty()) return machine_.allowed().at(position - 1);
  return machine_.as_tree()->slot_of_leaf(leaves_[position - 1]);
}

std::uint64_t FreeSlots::follow(Skips& skips, std::uint64_t position) {
  std::uint64_t end = position;
  for (auto step = skips.find(end); step != skips.end(); step = skips.find(end)) {
    end = step->second;
  }
  for (auto step = skips.find(position); step != skips.end(); step = skips.find(position)) {
    position = step->second;
    step->second = end;
  }
  return end;
}

bool FreeSlots::has_room(Slot slot) const {
  const auto taken = taken_.find(position(slot));
  return taken == taken_.end() || taken->second < capacity_;
}

bool FreeSlots::take(Slot slot) {
  const std::uint64_t here = position(slot);
  std::uint32_t& taken = taken_[here];
  if (taken == capacity_) return false;
  if (++taken < capacity_) return true;
  right_[here] = here + 1;
  left_[here] = here - 1;
  --size_;
  return true;
}

std::optional<Slot> FreeSlots::right_of(Slot slot) {
  return at(follow(right_, position(slot)));
}

std::optional<Slot> FreeSlots::left_of(Slot slot) {
  // The position of a slot that is not allowed is that of the next one.
  return at(follow(left_, position(slot) - (machine_.allowed().contains(slot) ? 0 : 1)));
}

Slot FreeSlots::first() {
  return at(follow(right_, 1)).value();
}

std::vector<Slot> FreeSlots::all() const {
  std::vector<Slot> slots;
  for (std::uint64_t i = 1; i <= machine_.allowed().size(); ++i) {
    if (!right_.contains(i)) slots.push_back(*at(i));
  }
  return slots;
}

/// Below so many free slots each is tried.
constexpr std::uint64_t few_slots = 512;

template <class Distance>
class Settler {
 public:
  Settler(const MapTask& problem, const Distance& distance)
      : graph_(problem.graph),
        options_(problem.options),
        machine_(problem.machine),
        distance_(distance),
        near_(problem.machine, true),
        free_(problem.machine, problem.options.capacity),
        pull_(problem.graph.ranks()) {
    mapping_.slot_of.assign(graph_.ranks(), no_slot);
  }

  Mapping run() {
    keep_places();
    if (free_.size() <= few_slots) few_ = free_.all();
    for (Rank r(0); r.value < graph_.ranks(); ++r) {
      if (mapping_[r] == no_slot) push(r);
    }
    while (!waiting_.empty()) {
      const auto [pull, r] = waiting_.top();
      waiting_.pop();
      if (mapping_[Rank(r.value)] != no_slot || pull != pull_[r.value]) continue;
      settle(r, cheapest_slot(r));
      for (std::size_t i = 0; i < graph_.degree(r); ++i) {
        const Rank neighbour = graph_.neighbours(r)[i];
        if (mapping_[neighbour] != no_slot) continue;
        pull_[neighbour.value] += graph_.weights(r)[i];
        waiting_.push({pull_[neighbour.value], neighbour});
      }
    }
    return std::move(mapping_);
  }

 private:
  /// A rank without place, and the weight of its connections to ranks that have one.
  struct Waiting {
    Wide pull;
    Rank rank;
    bool operator<(const Waiting& other) const {
      return pull != other.pull ? pull < other.pull : rank > other.rank;
    }
  };

  void settle(Rank r, Slot slot) {
    free_.take(slot);
    mapping_.slot_of[r.value] = slot;
  }

  void keep_places() {
    for (const FixedRank& fixed : options_.fixed) {
      if (mapping_[fixed.rank] == no_slot) settle(fixed.rank, fixed.slot);
    }
    for (Rank r(0); r.value < graph_.ranks(); ++r) {
      const Slot place = (*options_.from)[r];
      if (mapping_[r] != no_slot || !machine_.allowed().contains(place)) continue;
      if (free_.take(place)) mapping_.slot_of[r.value] = place;
    }
  }

  void push(Rank r) {
    const auto neighbours = graph_.neighbours(r);
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      if (mapping_[neighbours[i]] != no_slot) pull_[r.value] += graph_.weights(r)[i];
    }
    waiting_.push({pull_[r.value], r});
  }

  Wide cost_at(Rank r, Slot slot) const {
    const auto neighbours = graph_.neighbours(r);
    const auto weights = graph_.weights(r);
    Wide cost = 0;
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      const Slot there = mapping_[neighbours[i]];
      if (there != no_slot) cost += Wide{weights[i]} * distance_(slot, there);
    }
    return cost;
  }

  Slot cheapest_slot(Rank r) {
    find_candidates(r);
    std::optional<Wide> least;
    Slot best = no_slot;
    for (const Slot slot : candidates_) {
      const Wide cost = cost_at(r, slot);
      if (least && (cost > *least || (cost == *least && slot >= best))) continue;
      least = cost;
      best = slot;
    }
    return best;
  }

  /// At least one free slot.
  void find_candidates(Rank r) {
    constexpr std::size_t most_neighbours = 16;
    if (!few_.empty()) {
      std::erase_if(few_, [&](Slot slot) { return !free_.has_room(slot); });
      candidates_ = few_;
      return;
    }
    candidates_.clear();
    heaviest_neighbours(graph_, r, most_neighbours, neighbours_);
    for (const Rank neighbour : neighbours_) {
      const Slot there = mapping_[neighbour];
      if (there == no_slot) continue;
      if (const auto slot = free_.right_of(there)) candidates_.push_back(*slot);
      if (const auto slot = free_.left_of(there)) candidates_.push_back(*slot);
      if (machine_.as_network() == nullptr) continue;
      near_.around(there, groups_);
      for (const SlotGroup& group : groups_) add_one_of(group);
    }
    if (candidates_.empty()) candidates_.push_back(free_.first());
  }

  /// A free slot of a group: to ranks elsewhere they are equal.
  void add_one_of(const SlotGroup& group) {
    for (std::uint32_t i = 0; i < group.size; ++i) {
      const Slot slot(group.first.value + i);
      if (!machine_.allowed().contains(slot) || !free_.has_room(slot)) continue;
      candidates_.push_back(slot);
      return;
    }
  }

  const TrafficGraph& graph_;
  const MapOptions& options_;
  const Machine& machine_;
  const Distance& distance_;
  NearSlots near_;
  FreeSlots free_;
  Mapping mapping_;
  std::vector<Wide> pull_;
  std::priority_queue<Waiting> waiting_;
  std::vector<Slot> few_;
  std::vector<Slot> candidates_;
  std::vector<Rank> neighbours_;
  std::vector<SlotGroup> groups_;
};

}  // namespace

Mapping stay(const MapTask& problem) {
  return with_distance(problem.machine, problem.options.objective,
                       [&](const auto& distance) { return Settler(problem, distance).run(); });
}

}  // namespace kith
