#include "mapping/refine/refine.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "core/rng.hpp"
#include "mapping/budget.hpp"
#include "mapping/constraints.hpp"
#include "mapping/refine/bottleneck/effort.hpp"
#include "mapping/refine/bottleneck/loads.hpp"
#include "mapping/refine/bottleneck/node_distances.hpp"
#include "mapping/refine/bottleneck/step_candidates.hpp"
#include "mapping/value.hpp"
#include "objective/swap_gain.hpp"

namespace kith {
namespace {

using bottleneck::Bottleneck;
using bottleneck::BottleneckStep;
using bottleneck::Change;
using bottleneck::Loads;
using bottleneck::most_visits;
using bottleneck::visits_of;

}  // namespace

namespace bottleneck {

void take_step(const BottleneckStep& step, Loads& loads, Occupancy& occupancy) {
  loads.apply(step);
  if (step.partner) {
    occupancy.swap(step.rank, *step.partner);
  } else {
    occupancy.move(step.rank, step.to);
  }
}

}  // namespace bottleneck

namespace {

std::unique_ptr<Loads> loads_of(Criterion criterion, const MapTask& problem,
                                const TrafficMatrix& matrix, const Mapping& mapping) {
  if (criterion == Criterion::max_com) return bottleneck::pair_costs(problem, mapping);
  if (criterion == Criterion::link_load) return bottleneck::link_loads(problem, matrix, mapping);
  return bottleneck::link_times(problem, problem.wire == nullptr ? matrix : *problem.wire, mapping);
}

/// In a row.
int most_vain_disturbances(Effort effort) {
  return effort == Effort::fast ? 20 : effort == Effort::balanced ? 40 : 100;
}

/// One descent after another from one mapping, for one of the goal's maxima.
template <class Distance>
class BottleneckRefiner {
 public:
  BottleneckRefiner(const MapTask& problem, const MappingValuer& valuer, Criterion criterion,
                    const TrafficMatrix& matrix, SignedWide most_sum, Mapping mapping,
                    Distance distance)
      : problem_(problem),
        valuer_(valuer),
        occupancy_(std::move(mapping)),
        mapping_(occupancy_.mapping()),
        loads_(loads_of(criterion, problem, matrix, mapping_)),
        gain_(problem.graph, mapping_, std::move(distance)),
        candidates_(problem.machine, mapping_),
        rng_(problem.options.seed),
        visits_left_(most_visits(problem)),
        pinned_(problem.graph.ranks()),
        best_(mapping_),
        best_value_(valuer(mapping_)),
        sum_(best_value_.tie),
        most_sum_(most_sum) {
    for (const FixedRank& fixed : problem.options.fixed) pinned_[fixed.rank.value] = true;
  }

  Mapping run() {
    descend();
    const int most_failures = most_vain_disturbances(problem_.options.effort);
    int failures = 0;
    while (!spent_ && !at_bound_ && failures < most_failures) {
      const MappingValue before = best_value_;
      done_.clear();
      disturb();
      descend();
      failures = best_value_ < before ? 0 : failures + 1;
      if (best_value_ == before || present_value_ > best_value_) undo();
    }
    return std::move(best_);
  }

 private:
  /// Takes a test of so many visits; false when the effort or the budget is used up.
  bool pay(std::uint64_t visits) {
    if (visits_left_ < visits || (problem_.budget != nullptr && !problem_.budget->spend())) {
      spent_ = true;
      return false;
    }
    visits_left_ -= visits;
    return true;
  }

  /// Either of the two can undo the other's steps for ever: a few rounds that gain nothing end it.
  void descend() {
    constexpr int most_vain_rounds = 3;
    std::optional<MappingValue> least;
    for (int vain = 0; vain < most_vain_rounds && !spent_; ++vain) {
      bool better = lower_bottlenecks();
      note();
      if (lower_sum()) better = true;
      note();
      if (!better) break;
      if (least && present_value_ >= *least) continue;
      least = present_value_;
      vain = -1;
    }
  }

  /// Keeps the best mapping met.
  void note() {
    present_value_ = valuer_(mapping_);
    if (present_value_ >= best_value_ || sum_ > most_sum_) return;
    best_value_ = present_value_;
    best_ = mapping_;
  }

  bool lower_bottlenecks() {
    constexpr std::size_t most_bottlenecks = 128;
    bool any = false;
    while (pay(problem_.graph.all_neighbours().size())) {
      bool here = false;
      const std::vector<Bottleneck> bottlenecks = loads_->bottlenecks(most_bottlenecks);
      at_bound_ =
          bottlenecks.empty() || (is_single() && loads_->is_fixed(bottlenecks.front().item));
      if (at_bound_) break;
      const std::uint64_t worth_it = bottlenecks.front().load - bottlenecks.front().load / 8;
      for (const Bottleneck& bottleneck : bottlenecks) {
        if (spent_ || bottleneck.load < worth_it) break;
        if (!loads_->is_fixed(bottleneck.item) && lower(bottleneck)) here = true;
      }
      if (!here) break;
      any = true;
      note();
    }
    return any;
  }

  bool is_single() const { return !problem_.options.goal->is_mix(); }

  bool lower(const Bottleneck& bottleneck) {
    bool any = false;
    for (const Bottleneck::Share& share : bottleneck.shares) {
      if (spent_ || loads_->load(bottleneck.item) < bottleneck.load - bottleneck.load / 16) break;
      if (lower_share(bottleneck, share)) any = true;
    }
    return any;
  }

  /// Takes the best step that lowers the bottleneck by one of the two ranks.
  bool lower_share(const Bottleneck& bottleneck, const Bottleneck::Share& share) {
    best_step_.reset();
    limit_ = loads_->load(bottleneck.item);
    item_ = bottleneck.item;
    try_places(share.from, share.to);
    try_places(share.to, share.from);
    for (std::size_t i = 0; i < std::min<std::size_t>(bottleneck.shares.size(), 6); ++i) {
      const Bottleneck::Share& other = bottleneck.shares[i];
      for (const Rank r : {share.from, share.to}) {
        for (const Rank partner : {other.from, other.to}) {
          if (r != partner) try_swap(r, partner);
        }
      }
    }
    return take_best();
  }

  void try_places(Rank r, Rank other) {
    if (pinned_[r.value]) return;
    candidates_.find(r, other, rng_, slots_);
    const bool may_leave = occupancy_.count(mapping_[r]) > problem_.options.least;
    for (const Slot slot : slots_) {
      if (spent_) return;
      if (may_leave && occupancy_.count(slot) < problem_.options.capacity) try_step({r, slot});
      for (std::uint32_t partner = occupancy_.first(slot); partner != Occupancy::no_rank;
           partner = occupancy_.next(partner)) {
        try_swap(r, Rank(partner));
      }
    }
  }

  void try_swap(Rank r, Rank partner) {
    if (pinned_[r.value] || pinned_[partner.value] || mapping_[r] == mapping_[partner]) return;
    try_step({r, mapping_[partner], partner});
  }

  SignedWide change_of_sum(const BottleneckStep& step) const {
    return step.partner ? gain_.swap(step.rank, *step.partner) : gain_.move(step.rank, step.to);
  }

  void try_step(const BottleneckStep& step) {
    const SignedWide sum = change_of_sum(step);
    if (best_step_ && sum >= best_sum_) return;
    if (item_ == no_item && sum >= 0) return;
    if (sum > 0 && sum_ + sum > most_sum_) {
      pay(visits_of(problem_, step, {}));
      return;
    }
    if (!lifts_nothing(step)) return;
    best_step_ = step;
    best_sum_ = sum;
  }

  /// Whether no load rises to the limit and, where one is attacked, that falls.
  bool lifts_nothing(const BottleneckStep& step) {
    loads_->changes(step, changes_);
    if (!pay(visits_of(problem_, step, changes_))) return false;
    bool falls = item_ == no_item;
    for (const Change& change : changes_) {
      if (change.after > change.before && change.after >= limit_) return false;
      if (change.item == item_) falls = change.after < change.before;
    }
    return falls;
  }

  bool take_best() {
    if (!best_step_) return false;
    take(*best_step_);
    return true;
  }

  void take(const BottleneckStep& step) {
    done_.push_back({step.rank, mapping_[step.rank], step.partner});
    sum_ += change_of_sum(step);
    bottleneck::take_step(step, *loads_, occupancy_);
  }

  /// Steps that lower the sum over pairs and lift no load to the maximum.
  bool lower_sum() {
    limit_ = loads_->largest();
    item_ = no_item;
    bool any = false;
    for (Rank r(0); r.value < problem_.graph.ranks() && !spent_; ++r) {
      const auto neighbours = problem_.graph.neighbours(r);
      if (neighbours.empty()) continue;
      const auto weights = problem_.graph.weights(r);
      const auto heaviest = std::ranges::max_element(weights) - weights.begin();
      best_step_.reset();
      try_places(r, neighbours[static_cast<std::size_t>(heaviest)]);
      if (take_best()) any = true;
    }
    return any;
  }

  /// A few exchanges whatever they cost, one of them of a rank that makes the largest load.
  void disturb() {
    const std::vector<Bottleneck> bottlenecks = loads_->bottlenecks(1);
    if (!pay(problem_.graph.all_neighbours().size()) || bottlenecks.empty()) return;
    const auto& shares = bottlenecks.front().shares;
    Rank first = shares[rng_.below(shares.size())].from;
    const std::uint64_t exchanges = 1 + rng_.below(3);
    for (std::uint64_t i = 0; i < exchanges; ++i) {
      const Rank second = candidates_.random_rank(rng_);
      if (!pinned_[first.value] && !pinned_[second.value] && mapping_[first] != mapping_[second]) {
        take({first, mapping_[second], second});
      }
      first = candidates_.random_rank(rng_);
    }
  }

  void undo() {
    const std::vector<BottleneckStep> steps = std::exchange(done_, {});
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
      take(step->partner ? BottleneckStep{step->rank, mapping_[*step->partner], step->partner}
                         : *step);
    }
    done_.clear();
  }

  static constexpr std::uint64_t no_item = std::numeric_limits<std::uint64_t>::max();

  const MapTask problem_;
  const MappingValuer& valuer_;
  Occupancy occupancy_;
  const Mapping& mapping_;
  const std::unique_ptr<Loads> loads_;
  SwapGain<Distance> gain_;
  bottleneck::StepCandidates candidates_;
  Rng rng_;
  std::uint64_t visits_left_;
  bool spent_ = false;
  bool at_bound_ = false;  // the largest load cannot be lowered
  std::vector<bool> pinned_;
  std::uint64_t item_ = no_item;  // what is attacked
  std::uint64_t limit_ = 0;       // where no load may rise to
  std::optional<BottleneckStep> best_step_;
  SignedWide best_sum_ = 0;
  std::vector<Change> changes_;
  std::vector<Slot> slots_;
  std::vector<BottleneckStep> done_;  // as they are undone: where each rank was
  Mapping best_;
  MappingValue best_value_;
  SignedWide sum_;  // over pairs
  const SignedWide most_sum_;
  MappingValue present_value_;
};

/// What the sum over pairs may be while a largest load is lowered: bytes that go much further make
/// no load lower on trees and tori. Free where the goal is seconds, which know more than bytes, and
/// in mixes, which say themselves what their parts are worth.
SignedWide most_sum_of(const MapTask& problem, const MappingValue& start) {
  constexpr SignedWide any = SignedWide{1} << 100;
  constexpr double share = 0.05;
  const Goal& goal = *problem.options.goal;
  if (goal.is_mix() || goal.is_only(Criterion::network_time)) return any;
  const std::uint64_t known = problem.least_sum == nullptr ? start.tie : problem.least_sum->sum;
  const std::uint64_t least = std::min(start.tie, known);
  return least + static_cast<SignedWide>(share * static_cast<double>(least));
}

/// Calls `improve(criterion, matrix, mapping)` for each of the goal's maxima in turn.
template <class Improve>
Mapping for_each_bottleneck(const MapTask& problem, Mapping mapping, Improve&& improve) {
  // To look at all loads once would already cost more.
  if (problem.graph.all_neighbours().size() > most_visits(problem)) return mapping;
  TrafficMatrix own;
  const TrafficMatrix* matrix = problem.matrix;
  if (matrix == nullptr) matrix = &(own = in_both_directions(problem.graph));
  for (const Goal::Term& term : problem.options.goal->terms) {
    if (bottleneck::is_bottleneck(term))
      mapping = improve(term.criterion, *matrix, std::move(mapping));
  }
  return mapping;
}

}  // namespace

Mapping refine_bottlenecks(const MapTask& problem, Mapping mapping) {
  const MappingValuer valuer(problem);
  const MappingValue start = valuer(mapping);
  const SignedWide most_sum = std::max<SignedWide>(start.tie, most_sum_of(problem, start));
  const auto refine = [&](Criterion criterion, const TrafficMatrix& matrix, Mapping from) {
    const auto run = [&](const auto& distance) {
      return BottleneckRefiner(problem, valuer, criterion, matrix, most_sum, std::move(from),
                               distance)
          .run();
    };
    return bottleneck::with_kept_distance(problem.machine, problem.options.objective,
                                          most_visits(problem), run);
  };
  return for_each_bottleneck(problem, std::move(mapping), refine);
}

Mapping anneal_bottlenecks(const MapTask& problem, Mapping mapping) {
  const MappingValuer valuer(problem);
  const MappingValue start = valuer(mapping);
  const SignedWide most_sum = most_sum_of(problem, start);
  if (start.tie > most_sum) mapping = problem.least_sum->mapping;
  const auto anneal = [&](Criterion criterion, const TrafficMatrix& matrix, Mapping from) {
    const auto loads = [&](const Mapping& of) { return loads_of(criterion, problem, matrix, of); };
    return bottleneck::anneal_peaks(problem, valuer, criterion, loads, most_sum, std::move(from),
                                    bottleneck::annealing_visits(problem));
  };
  return refine_bottlenecks(problem, for_each_bottleneck(problem, std::move(mapping), anneal));
}

}  // namespace kith
