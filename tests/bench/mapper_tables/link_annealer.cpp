#include "mapper_tables/link_annealer.hpp"

#include <cmath>
#include <ctime>
#include <memory>
#include <vector>

#include "core/rng.hpp"
#include "mapping/constraints.hpp"
#include "mapping/refine/bottleneck/loads.hpp"
#include "mapping/refine/near_slots.hpp"

namespace kith::bench {
namespace {

class LinkAnnealer {
 public:
  LinkAnnealer(const MapProblem& problem, const Mapping& mapping, std::uint64_t seed)
      : problem_(problem),
        occupancy_(mapping),
        loads_(bottleneck::link_times(problem, *problem.matrix, occupancy_.mapping())),
        near_(problem.machine),
        rng_(seed),
        best_(mapping),
        least_(static_cast<double>(loads_->largest())),
        scale_(least_) {}

  Mapping run(std::uint64_t swaps, double most_seconds) {
    const std::clock_t started = std::clock();
    constexpr std::uint64_t looks = 400;  // at the largest load, which costs time
    for (std::uint64_t look = 0; look < looks; ++look) {
      const double part = static_cast<double>(look) / looks;
      heat_ = hottest * std::pow(coldest / hottest, part);
      for (std::uint64_t k = 0; k < swaps / looks; ++k) test();
      const auto spent = static_cast<double>(std::clock() - started) / CLOCKS_PER_SEC;
      if (spent > most_seconds) break;
      scale_ = static_cast<double>(loads_->largest());
      if (scale_ >= least_) continue;
      least_ = scale_;
      best_ = occupancy_.mapping();
    }
    return best_;
  }

 private:
  // Of what the busiest link counts.
  static constexpr double hottest = 0.1;
  static constexpr double coldest = 1e-6;
  static constexpr double power = 16;

  double counted(std::uint64_t load) const {
    return std::pow(static_cast<double>(load) / scale_, power);
  }

  void test() {
    const auto ranks = problem_.graph.ranks();
    const Rank a(rng_.below(ranks));
    const auto neighbours = problem_.graph.neighbours(a);
    Slot there = occupancy_.mapping()[Rank(rng_.below(ranks))];
    if (!neighbours.empty() && rng_.below(4) != 0) {
      there = near_.near(occupancy_.mapping()[neighbours[rng_.below(static_cast<std::uint32_t>(neighbours.size()))]], rng_);
    }
    if (there == occupancy_.mapping()[a]) return;
    bottleneck::BottleneckStep step{a, there};
    if (occupancy_.count(there) > 0) step.partner = Rank(occupancy_.first(there));
    loads_->changes(step, changes_);
    double more = 0;
    for (const auto& change : changes_) more += counted(change.after) - counted(change.before);
    if (more <= -heat_ * std::log(1 - rng_.uniform())) {
      bottleneck::take_step(step, *loads_, occupancy_);
    }
  }

  const MapProblem& problem_;
  Occupancy occupancy_;
  const std::unique_ptr<bottleneck::Loads> loads_;
  SlotProposals near_;
  QuickRng rng_;
  std::vector<bottleneck::Change> changes_;
  Mapping best_;
  double least_;
  double scale_;
  double heat_ = 0;
};

}  // namespace

Mapping anneal_links(const MapProblem& problem, const Mapping& mapping, std::uint64_t swaps,
                     std::uint64_t seed, double most_seconds) {
  return LinkAnnealer(problem, mapping, seed).run(swaps, most_seconds);
}

}  // namespace kith::bench
