// MPIPP: Chen, Chen, Huang, Robert, Kuhn: "MPIPP: An Automatic Profile-Guided Parallel Process
// Placement Toolset for SMP Clusters and Multiclusters", ICS 2006. Written from what EagerMap's
// paper (Cruz et al., ACM TOPC 5 (4), 2019, section 2) tells of it: each task is put on a random
// PU; then pairs of tasks change places so that the cost falls as much as possible, until no gain
// is left; all of that from several random starts, of which the best end counts.
//
// Choices: the pair with the largest gain of all is exchanged, the lowest ranks of equals; the cost
// is the objective asked for; 3 starts (setting `starts`). A free slot takes part as if a silent
// rank were on it; where more slots are free than there are ranks, so many random ones, anew for
// each start. With more ranks than slots each slot has equally many, and no rank moves alone.
//
// Kept for each rank: its best partner. An exchange changes the gains of the two and of their
// neighbours with everyone, so each costs O(d n) gains of O(d), with d neighbours of each of n
// ranks; the first look at a start O(n^2) of them. A start takes some n exchanges: O(d^2 n^2) in
// all. So above 512 ranks there must be a limit of time or work.
#include <algorithm>
#include <optional>
#include <utility>

#include "kith/error.hpp"
#include "mapping/budget.hpp"
#include "mapping/registry.hpp"
#include "objective/swap_gain.hpp"

namespace kith {
namespace {

constexpr std::uint32_t most_ranks_without_limit = 512;

/// The same traffic with silent ranks behind the others.
TrafficGraph with_silent_ranks(const TrafficGraph& graph, std::uint32_t count) {
  std::vector<std::uint64_t> offsets(graph.offsets().begin(), graph.offsets().end());
  offsets.resize(offsets.size() + count, offsets.back());
  return TrafficGraph::from_csr(std::move(offsets),
                                {graph.all_neighbours().begin(), graph.all_neighbours().end()},
                                {graph.all_weights().begin(), graph.all_weights().end()});
}

/// Exchanges until no pair gains. `distance` is cheap to copy.
template <class Distance>
class Exchanger {
 public:
  Exchanger(const TrafficGraph& graph, Mapping& mapping, Distance distance, Budget* budget)
      : graph_(graph),
        mapping_(mapping),
        gain_(graph, mapping, std::move(distance)),
        budget_(budget),
        best_(graph.ranks()),
        changed_(graph.ranks(), false) {}

  /// False when the budget ended it.
  bool run() {
    for (std::uint32_t r = 0; r < best_.size(); ++r) {
      if (!look_for_partner(r)) return false;
    }
    while (true) {
      const auto least = std::ranges::min_element(best_, {}, &Partner::difference);
      if (least == best_.end() || least->difference >= 0) return true;
      const auto a = static_cast<std::uint32_t>(least - best_.begin());
      const std::uint32_t b = least->rank;
      std::swap(mapping_.slot_of[a], mapping_.slot_of[b]);
      if (!renew_around(a, b)) return false;
    }
  }

 private:
  /// Of one rank: the exchange with a higher rank that lowers the cost most.
  struct Partner {
    SignedWide difference = 0;
    std::uint32_t rank = 0;
  };

  /// False when the budget is used up.
  bool look_for_partner(std::uint32_t r) {
    best_[r] = {};
    for (std::uint32_t other = r + 1; other < best_.size(); ++other) {
      if (!try_partner(r, other)) return false;
    }
    return true;
  }

  bool try_partner(std::uint32_t r, std::uint32_t other) {
    if (graph_.degree(Rank(r)) + graph_.degree(Rank(other)) == 0) return true;  // nothing to gain
    if (budget_ != nullptr && !budget_->spend()) return false;
    const SignedWide difference = gain_.swap(Rank(r), Rank(other));
    Partner& best = best_[r];
    if (difference < best.difference ||
        (difference == best.difference && difference < 0 && other < best.rank)) {
      best = {difference, other};
    }
    return true;
  }

  bool renew_around(std::uint32_t a, std::uint32_t b) {
    std::vector<std::uint32_t> changed{a, b};
    for (const std::uint32_t moved : {a, b}) {
      for (const Rank r : graph_.neighbours(Rank(moved))) changed.push_back(r.value);
    }
    std::ranges::sort(changed);
    changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
    for (const std::uint32_t r : changed) changed_[r] = true;
    const bool finished = renew(changed);
    for (const std::uint32_t r : changed) changed_[r] = false;
    return finished;
  }

  bool renew(const std::vector<std::uint32_t>& changed) {
    for (std::uint32_t r = 0; r < best_.size(); ++r) {
      if (changed_[r] || (best_[r].difference < 0 && changed_[best_[r].rank])) {
        if (!look_for_partner(r)) return false;
        continue;
      }
      for (auto other = std::ranges::upper_bound(changed, r); other != changed.end(); ++other) {
        if (!try_partner(r, *other)) return false;
      }
    }
    return true;
  }

  const TrafficGraph& graph_;
  Mapping& mapping_;
  SwapGain<Distance> gain_;
  Budget* budget_;
  std::vector<Partner> best_;
  std::vector<bool> changed_;
};

/// A random slot for each rank of `graph`, silent ones included.
Mapping random_start(const MapTask& problem, const TrafficGraph& graph, std::uint64_t seed) {
  MapOptions options = problem.options;
  options.seed = seed;
  return random_mapper().map({graph, problem.machine, options}).mapping;
}

constexpr MapperSetting mpipp_settings[] = {
    {"starts", "3", "random starts, of which the best end counts: 1 to 1000"},
};

class MpippMapper final : public Mapper {
 public:
  std::string_view name() const override { return "mpipp"; }
  std::string_view summary() const override {
    return "random starts, then exchanges of the pair that gains most; slow";
  }
  std::string_view source() const override {
    return "Chen, Chen, Huang, Robert, Kuhn: MPIPP, ICS 2006, as EagerMap's paper describes it";
  }
  std::span<const MapperSetting> settings() const override { return mpipp_settings; }

  Answer map(const MapTask& problem) const override {
    const std::uint64_t starts = MapperSettings(*this, problem.options).number("starts", 1, 1000);
    const std::uint32_t ranks = problem.graph.ranks();
    require_limit(problem);
    const std::uint64_t slots = problem.machine.allowed().size();
    const std::uint64_t free = slots - std::min<std::uint64_t>(slots, ranks);
    const auto silent = static_cast<std::uint32_t>(std::min<std::uint64_t>(free, ranks));
    const TrafficGraph graph = with_silent_ranks(problem.graph, silent);
    Mapping best;
    std::optional<std::uint64_t> least;
    for (std::uint64_t start = 0; start < starts; ++start) {
      Mapping mapping = random_start(problem, graph, problem.options.seed + start);
      const bool finished = exchange(problem, graph, mapping);
      mapping.slot_of.resize(ranks);
      const std::uint64_t value =
          evaluate_objective(problem.graph, problem.machine, mapping, problem.options.objective);
      if (!least || value < *least) {
        least = value;
        best = std::move(mapping);
      }
      if (!finished) break;
    }
    return {std::move(best), "mpipp"};
  }

 private:
  static void require_limit(const MapTask& problem) {
    if (problem.graph.ranks() <= most_ranks_without_limit || problem.options.time_limit ||
        problem.options.work) {
      return;
    }
    throw bad_argument("algorithm",
                       "for mpipp at most " + std::to_string(most_ranks_without_limit) +
                           " ranks, or a limit (time-limit, work)",
                       std::to_string(problem.graph.ranks()) + " ranks");
  }

  static bool exchange(const MapTask& problem, const TrafficGraph& graph, Mapping& mapping) {
    return with_distance(problem.machine, problem.options.objective, [&](const auto& distance) {
      return Exchanger(graph, mapping, distance, problem.budget).run();
    });
  }
};

}  // namespace

const Mapper& mpipp_mapper() {
  static const MpippMapper mapper;
  return mapper;
}

}  // namespace kith
