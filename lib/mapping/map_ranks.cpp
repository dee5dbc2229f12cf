#include "mapping/constraints.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <map>
#include <optional>
#include <string>

#include "kith/detail/tree_machine.hpp"
#include "kith/error.hpp"
#include "kith/mapping.hpp"
#include "mapping/budget.hpp"
#include "mapping/refine/refine.hpp"
#include "mapping/registry.hpp"
#include "mapping/remap/remap.hpp"
#include "objective/swap_gain.hpp"

namespace kith {
namespace {

template <class Distance>
class SlotFiller {
 public:
  SlotFiller(const MapTask& problem, Mapping mapping, Distance distance)
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

  const MapTask problem_;
  const std::uint32_t least_;
  Occupancy occupancy_;
  SwapGain<Distance> gain_;
  std::vector<bool> pinned_;
  std::map<std::uint32_t, Slot> donors_;  // by place: slots with more than their share
};

}  // namespace

Mapping fill_short_slots(const MapTask& problem, Mapping mapping) {
  if (problem.options.least == 0) return mapping;
  return with_distance(problem.machine, problem.options.objective, [&](const auto& distance) {
    return SlotFiller(problem, std::move(mapping), distance).run();
  });
}

void check_mapping(const Mapping& mapping, const Machine& machine, std::uint32_t capacity) {
  for (Rank r(0); r.value < mapping.ranks(); ++r) {
    if (!machine.allowed().contains(mapping[r])) {
      throw Error(ErrorKind::internal, "mapping: rank " + std::to_string(r.value) +
                                           " is on no allowed slot (" +
                                           std::to_string(mapping[r].value) + ")");
    }
  }
  std::vector<Slot> sorted = mapping.slot_of;
  std::ranges::sort(sorted);
  for (std::size_t i = capacity; i < sorted.size(); ++i) {
    if (sorted[i] == sorted[i - capacity]) {
      throw Error(ErrorKind::internal, "mapping: more than " + std::to_string(capacity) +
                                           " ranks on slot " + std::to_string(sorted[i].value));
    }
  }
}

namespace {

/// Of what describes each rank: one item per rank, or none.
void require_one_per_rank(std::uint64_t found, std::uint32_t ranks, std::string_view argument,
                          std::string_view what) {
  if (found == 0 || found == ranks) return;
  throw bad_argument(argument,
                     std::string(what) + " for each of " + std::to_string(ranks) + " ranks",
                     std::to_string(found));
}

void check_rank_facts(const MapTask& problem) {
  const std::uint32_t ranks = problem.graph.ranks();
  require_one_per_rank(problem.options.loads.size(), ranks, "loads", "a load");
  if (problem.options.coordinates) {
    require_one_per_rank(problem.options.coordinates->ranks(), ranks, "coordinates", "a point");
  }
  if (problem.options.from && problem.options.from->ranks() != ranks) {
    throw bad_argument("from", "a place for each of " + std::to_string(ranks) + " ranks",
                       std::to_string(problem.options.from->ranks()));
  }
}

}  // namespace

void check_problem(const MapProblem& problem) {
  identity_mapping(problem.graph.ranks(), problem.machine, problem.options.capacity);  // room?
  total_weight(problem.graph);
  if (problem.options.goal) check_goal(*problem.options.goal, problem.machine);
  check_fixed_ranks(problem);
  check_rank_facts(problem);
}

std::string_view to_string(Stopped stopped) {
  switch (stopped) {
    case Stopped::time:
      return "time";
    case Stopped::work:
      return "work";
    case Stopped::done:
      break;
  }
  return "done";
}

MapResult map_ranks(const Algorithm& algorithm, const MapProblem& problem) {
  const auto start = std::chrono::steady_clock::now();
  const MapOptions& options = problem.options;
  Budget budget(options);
  const MapTask budgeted{problem, &budget};
  check_problem(problem);
  check_settings(*algorithm.mapper, options.settings);

  Mapper::Answer answer = algorithm.mapper->map(budgeted);
  MapResult result{std::move(answer.mapping), std::move(answer.made_by),
                   std::move(answer.explanation), std::move(answer.start_stays_because)};
  result.is_optimal = answer.is_optimal;
  result.mapping = place_fixed_ranks(budgeted, std::move(result.mapping));
  result.mapping = fill_short_slots(budgeted, std::move(result.mapping));
  if (options.from) result.mapping = align(budgeted, std::move(result.mapping));
  if (algorithm.refine) {
    result.mapping = refine_by_swaps(budgeted, std::move(result.mapping));
    if (result.algorithm == algorithm.mapper->name()) result.algorithm = algorithm.name();
  }
  check_mapping(result.mapping, problem.machine, options.capacity);
  budget.exhausted();  // a mapper's last step may have run past the time
  result.stopped = budget.stopped();
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace kith
