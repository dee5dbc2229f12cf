#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "core/rng.hpp"
#include "mapping/constraints.hpp"
#include "mapping/refine/bottleneck/effort.hpp"
#include "mapping/refine/bottleneck/loads.hpp"
#include "mapping/refine/bottleneck/node_distances.hpp"
#include "mapping/refine/near_slots.hpp"
#include "mapping/value.hpp"
#include "objective/swap_gain.hpp"

namespace kith::bottleneck {
namespace {

/// What is annealed away, of all loads: what they have above a target that falls each time that
/// none is above it, or their 32nd powers. The first goes deeper where few links carry all, as
/// those on top of a tree; the other one where many are nearly as busy as the busiest.
enum class Count { excess, powers };

/// Of annealing.
struct Round {
  Count count;
  double hottest;  ///< as a share of the largest load
  double coldest;
  double share;  ///< of all visits
  /// What a rank costs on average by the sum over pairs, of which ties are made, as a share of the
  /// largest load.
  double pair_weight;
};

/// For one round.
template <class Distance>
class PeakAnnealer {
 public:
  PeakAnnealer(const MapTask& problem, const MappingValuer& valuer, const MakeLoads& make_loads,
               SignedWide most_sum, Mapping mapping, Distance distance)
      : problem_(problem),
        valuer_(valuer),
        occupancy_(std::move(mapping)),
        mapping_(occupancy_.mapping()),
        loads_(make_loads(mapping_)),
        gain_(problem.graph, mapping_, std::move(distance)),
        proposals_(problem.machine),
        rng_(problem.options.seed),
        pinned_(problem.graph.ranks()),
        best_(mapping_),
        best_value_(valuer(mapping_)),
        sum_(best_value_.tie),
        most_sum_(most_sum) {
    for (const FixedRank& fixed : problem.options.fixed) pinned_[fixed.rank.value] = true;
    for (Rank r(0); r.value < problem.graph.ranks(); ++r) {
      if (!pinned_[r.value] && problem.graph.degree(r) > 0) movable_.push_back(r);
    }
  }

  Mapping run(const Round& round, std::uint64_t all_visits) {
    count_ = round.count;
    const auto most_visits =
        static_cast<std::uint64_t>(round.share * static_cast<double>(all_visits));
    if (movable_.empty() || !look()) return std::move(best_);
    set_pair_scale(round.pair_weight);
    constexpr std::uint64_t looks = 400;
    const std::uint64_t look_visits = 4 * problem_.graph.all_neighbours().size();
    const std::uint64_t between_looks = std::max(most_visits / looks, look_visits);
    std::uint64_t next_look = between_looks;
    for (std::uint64_t visits = 0; visits < most_visits && !is_spent_;) {
      const double part = static_cast<double>(visits) / static_cast<double>(most_visits);
      heat_ = aim_ * round.hottest * std::pow(round.coldest / round.hottest, part);
      visits += test();
      if (count_ == Count::excess ? excess_ > 0 : visits < next_look) continue;
      if (!look()) break;
      visits += look_visits;
      next_look = visits + between_looks;
    }
    look();
    return std::move(best_);
  }

 private:
  static constexpr double pace = 0.98;  // of a target, each time that it is reached

  /// Keeps the present mapping if it is the best so far. Measures by the largest load that can
  /// change from now on; false if none can, or none lower. O(loads).
  bool look() {
    constexpr std::size_t most_looked_at = 1 << 16;
    auto loads = loads_->largest_loads(most_looked_at);
    std::erase_if(loads, [&](const Bottleneck& one) { return loads_->is_fixed(one.item); });
    if (loads.empty()) return false;
    const auto largest = static_cast<double>(loads.front().load);
    keep_if_best(largest);
    aim_ = largest;
    if (count_ == Count::powers) return true;
    aim_ = std::floor(pace * largest);
    excess_ = 0;
    for (const Bottleneck& one : loads) excess_ += cost_of(one.load);
    return aim_ >= 1 && excess_ > 0;
  }

  /// To value a mapping takes much longer than to find its largest load.
  void keep_if_best(double largest) {
    if (largest > least_) return;
    least_ = largest;
    const MappingValue value = valuer_(mapping_);
    if (value >= best_value_) return;
    best_value_ = value;
    best_ = mapping_;
  }

  /// To raise the largest load by one costs one.
  double cost_of(std::uint64_t load) const {
    const auto number = static_cast<double>(load);
    if (count_ == Count::excess) return std::max(0.0, number - aim_);
    double power = number / aim_;
    for (int i = 0; i < doublings; ++i) power *= power;
    return aim_ * power / (1 << doublings);
  }

  void set_pair_scale(double pair_weight) {
    const auto sum = static_cast<double>(best_value_.tie);
    pair_scale_ = sum > 0 ? pair_weight * aim_ * problem_.graph.ranks() / sum : 0;
  }

  /// One swap or move; what it cost to look at.
  std::uint64_t test() {
    if (problem_.budget != nullptr && !problem_.budget->spend()) {
      is_spent_ = true;
      return 1;
    }
    const auto any_of = [&](const auto& ranks) {
      return ranks[rng_.below(static_cast<std::uint32_t>(ranks.size()))];
    };
    const Rank r = any_of(movable_);
    const auto neighbours = problem_.graph.neighbours(r);
    const bool to_partner = (rng_.next() >> 63) != 0;
    const Slot around = mapping_[to_partner ? any_of(neighbours) : any_of(movable_)];
    const Slot there = proposals_.near(around, rng_);
    if (there == mapping_[r]) return 1;
    BottleneckStep step{r, there};
    const std::uint32_t count = occupancy_.count(there);
    if (count >= problem_.options.capacity) {
      std::uint32_t rank = occupancy_.first(there);
      for (std::uint32_t skip = rng_.below(count); skip-- > 0;) rank = occupancy_.next(rank);
      if (pinned_[rank]) return 1;
      step.partner = Rank(rank);
    } else if (occupancy_.count(mapping_[r]) <= problem_.options.least) {
      return 1;
    }
    return try_step(step);
  }

  std::uint64_t try_step(const BottleneckStep& step) {
    loads_->changes(step, changes_);
    double delta = 0;
    for (const Change& change : changes_) {
      if (!loads_->is_fixed(change.item)) delta += cost_of(change.after) - cost_of(change.before);
    }
    const SignedWide sum =
        step.partner ? gain_.swap(step.rank, *step.partner) : gain_.move(step.rank, step.to);
    const double cost = delta + pair_scale_ * static_cast<double>(sum);
    const bool is_taken = (sum <= 0 || sum_ + sum <= most_sum_) &&
                          (cost <= 0 || cost <= -heat_ * std::log(1 - rng_.uniform()));
    if (is_taken) {
      excess_ += delta;
      sum_ += sum;
      take_step(step, *loads_, occupancy_);
    }
    return visits_of(problem_, step, changes_);
  }

  static constexpr int doublings = 5;  // of the power: 32

  const MapTask problem_;
  const MappingValuer& valuer_;
  Occupancy occupancy_;
  const Mapping& mapping_;
  const std::unique_ptr<Loads> loads_;
  SwapGain<Distance> gain_;
  SlotProposals proposals_;
  QuickRng rng_;
  std::vector<bool> pinned_;
  std::vector<Rank> movable_;
  std::vector<Change> changes_;
  Mapping best_;
  MappingValue best_value_;
  SignedWide sum_;  // over pairs
  const SignedWide most_sum_;
  Count count_ = Count::powers;
  double least_ = std::numeric_limits<double>::infinity();  // largest load that was met
  double aim_ = 0;     // the largest load that can change, or the target
  double excess_ = 0;  // above the target, of all loads
  double heat_ = 0;
  double pair_scale_ = 0;
  bool is_spent_ = false;
};

std::vector<Round> rounds_for(Criterion criterion, bool is_tree, std::uint64_t visits_per_rank) {
  if (criterion == Criterion::link_load && is_tree) return {{Count::excess, 0.05, 0.001, 1, 0.02}};
  constexpr std::uint64_t enough_for_two = 20'000;
  if (visits_per_rank < enough_for_two) return {{Count::powers, 0.01, 0.0001, 1, 0.02}};
  // The first finds the shape of an order, and may end far above a good start; the other one
  // improves on the better of the two.
  return {{Count::powers, 0.06, 0.0001, 0.6, 0.005}, {Count::powers, 0.01, 0.0001, 0.4, 0.02}};
}

}  // namespace

Mapping anneal_peaks(const MapTask& problem, const MappingValuer& valuer, Criterion criterion,
                     const MakeLoads& make_loads, SignedWide most_sum, Mapping mapping,
                     std::uint64_t most_visits) {
  const bool is_tree = problem.machine.as_tree() != nullptr;
  const auto rounds = rounds_for(criterion, is_tree, most_visits / problem.graph.ranks());
  const auto anneal = [&](const auto& distance) {
    for (const Round& round : rounds) {
      mapping = PeakAnnealer(problem, valuer, make_loads, most_sum, std::move(mapping), distance)
                    .run(round, most_visits);
    }
    return std::move(mapping);
  };
  return with_kept_distance(problem.machine, problem.options.objective, most_visits, anneal);
}

}  // namespace kith::bottleneck
