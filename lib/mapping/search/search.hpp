// One step after another until the budget or a proof ends the search, and the best mapping so far.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kith/detail/structure.hpp"
#include "kith/mapper.hpp"
#include "mapping/budget.hpp"
#include "mapping/multilevel/multilevel.hpp"
#include "mapping/value.hpp"

namespace kith {

// The best mapping that a search has found.

/// The mapping with fixed ranks in place and no slot below options.least, turned towards
/// options.from where that leaves the objective as it is.
Mapping with_constraints(const MapTask& problem, Mapping mapping);

/// A mapping that a step of a search has found.
struct Proposal {
  Mapping mapping;
  std::string made_by;  ///< an algorithm's name, as find_algorithm() knows it; or "stay"
  std::string how;      ///< for the user: "multilevel division"
};

/// Starts with the identity and, where the problem says where the ranks are now, with staying
/// there, so that no answer is worse.
class Incumbent {
 public:
  /// `problem` must outlive this.
  explicit Incumbent(const MapTask& problem);

  /// Sees to the constraints, takes back moves away from options.from that do not pay, and keeps
  /// the mapping if its value is below the best so far; true if it is.
  bool offer(Proposal proposal);
  /// A mapping made from the best so far: who made that one stays its maker, but `made_by` takes
  /// over from the starts.
  bool offer_refined(Mapping mapping, std::string_view made_by);

  const Mapping& mapping() const { return best_.mapping; }
  const std::string& made_by() const { return best_.made_by; }
  const std::string& how() const { return best_.how; }
  const MappingValue& value() const { return value_; }
  /// A total as value() has it.
  Wide in_steps(Wide total) const { return valuer_.in_steps(total); }
  const MappingValue& identity_value() const { return identity_value_; }
  /// Of all that were offered, and of those that steps tell it of; kept where there is a goal.
  LeastSum& least_sum() { return least_sum_; }
  /// What has identity_value(): the present order, or what the fixed ranks leave of it.
  const std::string& identity_name() const { return identity_name_; }
  bool is_refined() const { return refined_; }
  /// Nothing better than the starts was found.
  bool is_start() const { return is_start_; }

 private:
  bool keep_if_better(Mapping mapping);

  const MapTask problem_;
  MappingValuer valuer_;
  Proposal best_;
  MappingValue value_;
  MappingValue identity_value_;
  LeastSum least_sum_;
  std::string identity_name_;
  bool is_start_ = true;
  bool refined_ = false;
  std::optional<Mapping> present_;
};

/// One attempt of a search: exactly one of the two functions is set. Both may run short of the
/// budget of the problem that they get; neither may depend on how much of it is left except
/// through the budget itself.
struct Step {
  /// What it takes on one core, from sizes alone; see cost_model.cpp.
  double seconds = 0;
  /// Depends on the problem only, so that it may run beside other steps. Counts only if the work
  /// that it spends is left.
  std::function<std::optional<Proposal>(const MapTask&)> propose;
  /// Starts from the best so far and never makes it worse.
  std::function<Mapping(const MapTask&, Mapping best)> improve;
  /// Whether more work could lead the improvement to something worse: then it counts only if the
  /// work suffices for all of it.
  bool is_whole = false;
  const Mapper* published = nullptr;  ///< whose answer it proposes, refined; null for Kith's own
};

/// More work or time never makes the answer worse: which steps there are does not depend on them,
/// and a step that is cut offers nothing, or something that more would only have improved. The same
/// answer for any number of threads: what steps beside each other spend and propose is settled in
/// their order.
class Search {
 public:
  /// Starts with the identity. `problem` must outlive this; `made_by` is the name of what improve()
  /// makes of the identity.
  Search(const MapTask& problem, std::string_view made_by);

  /// Runs the steps until the search is over; may be called again with further steps.
  void run(std::span<const Step> steps);

  /// Learns what nothing can be below; `grid`: what find_grid_structure() says of the traffic. For
  /// plain objectives and network-time.
  void find_lower_bound(const std::optional<GridStructure>& grid);

  /// The budget is used up, or the best is proved optimal.
  bool is_over() { return is_optimal() || is_at_bound() || budget().exhausted(); }
  bool is_optimal() const {
    return is_proven_ || (lower_bound_ && best_.value().exact <= *lower_bound_ && is_tie_least());
  }
  /// Exhaustive search has found nothing below the best so far.
  void prove_optimal() { is_proven_ = true; }
  bool is_proven() const { return is_proven_; }
  /// At most so many times the optimum, as far as the bound tells.
  bool is_within(double factor) const;
  Incumbent& best() { return best_; }
  const Incumbent& best() const { return best_; }
  /// Steps that came to their end.
  std::uint32_t steps_done() const { return steps_done_; }

 private:
  /// What is left to be gained is less than a step of the goal.
  bool is_at_bound() const {
    return lower_bound_ && best_.value().total <= step_of_bound_ && is_tie_least();
  }
  /// Of orders with the total of the best one.
  bool is_tie_least() const {
    const MappingValue& value = best_.value();
    return value.moved <= forced_moves_ && value.tie <= least_tie_.value_or(value.tie);
  }
  void run_proposals(std::span<const Step> steps);
  void run_improvement(const Step& step);
  void stop_for_time(std::span<const Step> steps_left);
  /// Whether the time suffices for a step, at the pace of those so far: where other programs use
  /// the processor, or it is slow, a step that is cut would leave less than swaps do.
  bool has_time_for(const Step& step);
  Budget& budget() { return problem_.budget != nullptr ? *problem_.budget : own_budget_; }

  const MapTask problem_;
  std::string_view made_by_;
  Budget own_budget_;
  Incumbent best_;
  std::optional<Wide> lower_bound_;         // with the moves that nothing can avoid
  Wide step_of_bound_ = 0;                  // the same in the steps of MappingValue::total
  std::optional<std::uint64_t> least_tie_;  // of MappingValue::tie, where that decides
  std::uint64_t forced_moves_ = 0;
  std::uint32_t steps_done_ = 0;
  bool is_proven_ = false;
  double expected_seconds_ = 0;  // of the steps done, as planned
  double taken_seconds_ = 0;     // the same by the clock
};

// What the steps of a search cost, from sizes alone: a clock would make answers differ.

/// Takes from the budget what so many seconds are worth in the unit of MapOptions::work, swap tests
/// of some 100 ns: for work that counts nothing itself. False where it is not left.
bool pay(const MapTask& problem, double seconds);

/// Seconds on one core that an effort may take: fast 0.05 for 1024 ranks (on networks 0.16) and 0.7
/// for 16384, balanced up to 3, best up to 40.
double seconds_of(Effort effort, const MapTask& problem);

/// The first steps that together take at most so long, but always the first `at_least`.
std::span<const Step> affordable(std::span<const Step> steps, double seconds, std::size_t at_least);

/// Seconds of one multilevel division of the ranks.
double division_seconds(const MapTask& problem, const multilevel::Trials& trials);
/// Of anneal().
double annealing_seconds(const MapTask& problem, std::uint64_t tests_per_rank);
/// What TopoLB on so many slots takes where no rank talks with very many, in entries of its table
/// looked at.
double topolb_effort(const MapTask& problem, std::uint64_t slots);
double topolb_seconds(const MapTask& problem, std::uint64_t slots);
double topocentlb_seconds(const MapTask& problem, std::uint64_t slots);
double choicemap_seconds(const TrafficGraph& graph);
/// Of refine_dense().
double dense_seconds(const MapTask& problem, std::uint64_t tests);
/// Of packing groups, with so many exchanges of each on average.
double packing_seconds(const MapTask& problem, std::uint32_t groups, std::uint64_t tests_per_group);
/// Of finding a hidden grid.
double structure_seconds(const TrafficGraph& graph);
double lower_bound_seconds(const TrafficGraph& graph);

/// Neighbours that refine_by_swaps() looks at in so many seconds.
std::uint64_t visits_in(const MapTask& problem, double seconds);

}  // namespace kith
