#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "core/rng.hpp"
#include "mapping/constraints.hpp"
#include "mapping/refine/bottleneck/loads.hpp"
#include "mapping/refine/bottleneck/node_distances.hpp"
#include "mapping/refine/near_slots.hpp"
#include "mapping/value.hpp"
#include "objective/swap_gain.hpp"

namespace kith::bottleneck {
namespace {

/// What loads have above a target, annealed away while the target falls.
template <class Distance>
class ExcessAnnealer {
 public:
  ExcessAnnealer(const MapTask& problem, const MappingValuer& valuer, const MakeLoads& make_loads,
                 Mapping mapping, Distance distance)
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
        best_value_(valuer(mapping_)) {
    for (const FixedRank& fixed : problem.options.fixed) pinned_[fixed.rank.value] = true;
    for (Rank r(0); r.value < problem.graph.ranks(); ++r) {
      if (!pinned_[r.value] && problem.graph.degree(r) > 0) movable_.push_back(r);
    }
  }

  Mapping run(std::uint64_t most_visits) {
    if (movable_.empty() || !aim()) return std::move(best_);
    set_pair_scale();
    for (std::uint64_t visits = 0; visits < most_visits && !is_spent_;) {
      const double part = static_cast<double>(visits) / static_cast<double>(most_visits);
      heat_ = hottest * std::pow(coldest / hottest, part);
      visits += test();
      if (excess_ > 0) continue;
      if (!aim()) break;
      visits += 4 * problem_.graph.all_neighbours().size();
    }
    return std::move(best_);
  }

 private:
  static constexpr double hottest = 0.05;  // shares of the target
  static constexpr double coldest = 0.001;
  static constexpr double pace = 0.98;         // of the target, each time that it is reached
  static constexpr double pair_weight = 0.02;  // of the sum over pairs, of which ties are made

  /// Keeps the present mapping if it is the best so far. Sets the next target: below the largest of
  /// the loads that can change. False if no load can change. O(loads).
  bool aim() {
    const MappingValue value = valuer_(mapping_);
    if (value < best_value_) {
      best_value_ = value;
      best_ = mapping_;
    }
    auto loads = loads_->largest_loads(most_looked_at);
    std::erase_if(loads, [&](const Bottleneck& one) { return loads_->is_fixed(one.item); });
    if (loads.empty()) return false;
    target_ = std::floor(pace * static_cast<double>(loads.front().load));
    excess_ = 0;
    for (const Bottleneck& bottleneck : loads) excess_ += above(bottleneck.load);
    return target_ >= 1 && excess_ > 0;
  }

  double above(std::uint64_t load) const {
    return std::max(0.0, static_cast<double>(load) - target_);
  }

  /// So that what a rank costs on average is a part of the target.
  void set_pair_scale() {
    const auto sum = static_cast<double>(best_value_.tie);
    pair_scale_ = sum > 0 ? pair_weight * target_ * problem_.graph.ranks() / sum : 0;
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
      if (!loads_->is_fixed(change.item)) delta += above(change.after) - above(change.before);
    }
    const SignedWide sum =
        step.partner ? gain_.swap(step.rank, *step.partner) : gain_.move(step.rank, step.to);
    const double cost = delta + pair_scale_ * static_cast<double>(sum);
    if (cost <= -heat_ * target_ * std::log(1 - rng_.uniform())) {
      excess_ += delta;
      take_step(step, *loads_, occupancy_);
    }
    return visits_of(problem_, step, changes_);
  }

  static constexpr std::size_t most_looked_at = 1 << 16;

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
  double target_ = 0;
  double excess_ = 0;  // above it, of all loads
  double heat_ = 0;
  double pair_scale_ = 0;
  bool is_spent_ = false;
};

}  // namespace

Mapping anneal_excess(const MapTask& problem, const MappingValuer& valuer,
                      const MakeLoads& make_loads, Mapping mapping, std::uint64_t most_visits) {
  const auto anneal = [&](const auto& distance) {
    return ExcessAnnealer(problem, valuer, make_loads, std::move(mapping), distance)
        .run(most_visits);
  };
  return with_kept_distance(problem.machine, problem.options.objective, most_visits, anneal);
}

}  // namespace kith::bottleneck
