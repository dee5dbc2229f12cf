#include "mapping/remap/stay.hpp"

#include <algorithm>
#include <optional>
#include <queue>

#include "mapping/refine/candidates.hpp"
#include "mapping/refine/near_slots.hpp"
#include "mapping/remap/free_slots.hpp"

namespace kith {
namespace {

/// Below so many free slots each is tried.
constexpr std::uint64_t few_slots = 512;

template <class Distance>
class Settler {
 public:
  Settler(const MapProblem& problem, const Distance& distance)
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

Mapping stay(const MapProblem& problem) {
  return with_distance(problem.machine, problem.options.objective,
                       [&](const auto& distance) { return Settler(problem, distance).run(); });
}

}  // namespace kith
