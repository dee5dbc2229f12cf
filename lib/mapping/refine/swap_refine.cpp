#include "mapping/refine/refine.hpp"

#include <limits>
#include <type_traits>
#include <utility>

#include "mapping/budget.hpp"
#include "mapping/refine/candidates.hpp"
#include "mapping/value.hpp"

namespace kith {
namespace {

/// How much an effort may cost, in neighbours looked at: some ten nanoseconds each.
std::uint64_t visits_of(Effort effort) {
  switch (effort) {
    case Effort::fast:
      return 100'000'000;
    case Effort::balanced:
      return 400'000'000;
    case Effort::best:
      break;
  }
  return std::numeric_limits<std::uint64_t>::max();
}

template <class Distance, class Candidates>
class SwapRefiner {
 public:
  SwapRefiner(const MapTask& problem, Occupancy& occupancy, Distance distance,
              Candidates candidates, std::uint64_t most_visits)
      : graph_(problem.graph),
        allowed_(problem.machine.allowed()),
        capacity_(problem.options.capacity),
        least_(problem.options.least),
        budget_(problem.budget),
        visits_left_(most_visits),
        occupancy_(occupancy),
        gain_(graph_, occupancy.mapping(), std::move(distance)),
        move_cost_(problem.options),
        candidates_(std::move(candidates)),
        pinned_(graph_.ranks()),
        waiting_(graph_.ranks()) {
    for (const FixedRank& fixed : problem.options.fixed) pinned_[fixed.rank.value] = true;
  }

  void run() {
    for (Rank r(0); r.value < graph_.ranks(); ++r) wake(r);
    while (!next_sweep_.empty() && !spent_) {
      const std::vector<Rank> sweep = std::exchange(next_sweep_, {});
      for (const Rank r : sweep) {
        waiting_[r.value] = false;
        while (!spent_ && improve(r)) {
        }
        if (spent_) return;
      }
    }
  }

 private:
  /// The best change found for a rank; a negative delta lowers the objective.
  struct Change {
    ValueChange delta;
    Slot slot = no_slot;
    std::uint32_t partner = Occupancy::no_rank;  ///< none: a move
  };

  void wake(Rank r) {
    if (waiting_[r.value] || pinned_[r.value]) return;
    if (graph_.degree(r) == 0 && !move_cost_.counts()) return;
    waiting_[r.value] = true;
    next_sweep_.push_back(r);
  }

  void wake_around(Rank r) {
    wake(r);
    for (const Rank neighbour : graph_.neighbours(r)) wake(neighbour);
  }

  /// Takes a test of so many visits; false when the effort or the budget is used up.
  bool pay(std::uint64_t visits) {
    if (visits_left_ < visits || (budget_ != nullptr && !budget_->spend())) {
      spent_ = true;
      return false;
    }
    visits_left_ -= visits;
    return true;
  }

  bool improve(Rank r) {
    Change best;
    const bool may_leave = occupancy_.count(occupancy_.mapping()[r]) > least_;
    const auto pay_for_r = [&] { return pay(graph_.degree(r)); };
    const auto try_slot = [&](Slot slot, const auto&... floor) {
      if (spent_) return;
      const auto [first, count] = occupancy_.at(slot);
      if (may_leave && count < capacity_) try_move(r, slot, best);
      std::uint32_t partner = first;
      for (std::uint32_t left = count; left > 0; --left) {
        if (left < count) partner = occupancy_.next(partner);
        if (pinned_[partner]) continue;
        if constexpr (sizeof...(floor) > 0) {
          if (!may_gain(Rank(partner), best, floor...)) continue;
        }
        try_swap(r, Rank(partner), slot, best);
      }
    };
    const Slot home = move_cost_.place(r);
    if (home != no_slot && home != occupancy_.mapping()[r] && allowed_.contains(home)) {
      try_slot(home);
    }
    candidates_.for_each(r, pay_for_r, try_slot);
    if (!best.delta.is_gain()) return false;
    apply(r, best);
    return true;
  }

  /// Tells most swaps that would not be better apart without going through both ranks' neighbours.
  template <class Floor>
  bool may_gain(Rank partner, const Change& best, const Floor& floor) {
    constexpr std::uint64_t visits = 2;
    if (move_cost_.counts() || candidates_.least_change(partner, floor) < best.delta.total) {
      return true;
    }
    pay(visits);
    return false;
  }

  void try_move(Rank r, Slot slot, Change& best) {
    if (!pay(graph_.degree(r))) return;
    ValueChange delta{gain_.move(r, slot)};
    delta += move_cost_.change(r, occupancy_.mapping()[r], slot);
    if (delta < best.delta) best = {delta, slot, Occupancy::no_rank};
  }

  void try_swap(Rank r, Rank partner, Slot slot, Change& best) {
    if (!pay(graph_.degree(r) + graph_.degree(partner))) return;
    const Slot here = occupancy_.mapping()[r];
    ValueChange delta{gain_.swap(r, partner)};
    delta += move_cost_.change(r, here, slot);
    delta += move_cost_.change(partner, slot, here);
    if (delta < best.delta) best = {delta, slot, partner.value};
  }

  void apply(Rank r, const Change& change) {
    if (change.partner == Occupancy::no_rank) {
      occupancy_.move(r, change.slot);
    } else {
      occupancy_.swap(r, Rank(change.partner));
      wake_around(Rank(change.partner));
      tell_candidates(Rank(change.partner));
    }
    wake_around(r);
    tell_candidates(r);
  }

  void tell_candidates(Rank moved) {
    if constexpr (requires { candidates_.moved(moved); }) candidates_.moved(moved);
  }

  const TrafficGraph& graph_;
  const SlotSet& allowed_;
  const std::uint32_t capacity_;
  const std::uint32_t least_;
  Budget* const budget_;
  std::uint64_t visits_left_;
  bool spent_ = false;
  Occupancy& occupancy_;
  SwapGain<Distance> gain_;
  MoveCost move_cost_;
  Candidates candidates_;
  std::vector<bool> pinned_;
  std::vector<bool> waiting_;
  std::vector<Rank> next_sweep_;
};

/// For options.objective.
Mapping lower_sum(const MapTask& problem, Mapping mapping, std::uint64_t most_visits) {
  Occupancy occupancy(std::move(mapping));
  const Mapping& present = occupancy.mapping();
  const Objective objective = problem.options.objective;
  const std::uint32_t capacity = problem.options.capacity;
  with_distance(problem.machine, objective, [&](const auto& distance) {
    using Distance = std::decay_t<decltype(distance)>;
    if constexpr (std::is_same_v<Distance, TreeDistance>) {
      SwapRefiner(problem, occupancy, distance,
                  TreeCandidates(problem.graph, present, distance, capacity), most_visits)
          .run();
    } else {
      SwapRefiner(
          problem, occupancy, distance,
          NetworkCandidates<Distance>(problem.graph, present, problem.machine, distance, capacity),
          most_visits)
          .run();
    }
  });
  return occupancy.take();
}

}  // namespace

Mapping refine_by_swaps(const MapTask& problem, Mapping mapping) {
  return refine_by_swaps(problem, std::move(mapping), visits_of(problem.options.effort));
}

Mapping refine_by_swaps(const MapTask& problem, Mapping mapping, std::uint64_t most_visits) {
  if (!problem.options.goal) return lower_sum(problem, std::move(mapping), most_visits);
  const MappingValuer value(problem);
  Mapping lower = lower_sum(problem, mapping, most_visits);
  const MappingValue of_lower = value(lower);
  const MappingValue of_start = value(mapping);
  if (problem.least_sum != nullptr) problem.least_sum->offer(of_lower.tie, lower);
  return refine_bottlenecks(problem, std::move(of_lower < of_start ? lower : mapping));
}

}  // namespace kith
