#include "mapping/search/search.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/parallel.hpp"
#include "kith/detail/lower_bound.hpp"
#include "mapping/budget.hpp"
#include "mapping/constraints.hpp"
#include "mapping/registry.hpp"
#include "mapping/remap/remap.hpp"

namespace kith {
namespace {

/// `name`, or what it is where fixed ranks are elsewhere in `mapping`.
std::string name_of_start(const MapTask& problem, const Mapping& mapping, std::string name) {
  if (keeps_fixed_ranks(mapping, problem.options.fixed)) return name;
  return name + " with the fixed ranks in place";
}

}  // namespace

Mapping with_constraints(const MapTask& problem, Mapping mapping) {
  mapping = fill_short_slots(problem, place_fixed_ranks(problem, std::move(mapping)));
  // A reflected grid may load its links otherwise.
  if (!problem.options.from || problem.options.goal) return mapping;
  return align(problem, std::move(mapping));
}

Incumbent::Incumbent(const MapTask& problem) : problem_(problem), valuer_(problem) {
  Mapper::Answer identity = identity_mapper().map(problem);
  identity_name_ = name_of_start(problem, identity.mapping, problem.present_name);
  best_ = {with_constraints(problem, std::move(identity.mapping)), identity.made_by,
           identity_name_};
  value_ = valuer_(best_.mapping);
  identity_value_ = value_;
  if (problem.options.goal) least_sum_.offer(value_.tie, best_.mapping);
  if (problem.options.from) {
    present_ = with_constraints(problem, stay(problem));
    offer({*present_, "stay",
           name_of_start(problem, *problem.options.from, "the mapping of before")});
    is_start_ = true;
  }
}

bool Incumbent::offer(Proposal proposal) {
  if (!keep_if_better(std::move(proposal.mapping))) return false;
  best_.made_by = std::move(proposal.made_by);
  best_.how = std::move(proposal.how);
  is_start_ = refined_ = false;
  return true;
}

bool Incumbent::offer_refined(Mapping mapping, std::string_view made_by) {
  if (!keep_if_better(std::move(mapping))) return false;
  refined_ = true;
  if (is_start_) best_.made_by = made_by;
  is_start_ = false;
  return true;
}

bool Incumbent::keep_if_better(Mapping mapping) {
  mapping = with_constraints(problem_, std::move(mapping));
  MappingValue value = valuer_(mapping);
  if (present_) {
    Mapping relinked = relink(problem_, *present_, mapping);
    const MappingValue of_relinked = valuer_(relinked);
    if (of_relinked < value) {
      value = of_relinked;
      mapping = std::move(relinked);
    }
  }
  if (problem_.options.goal) least_sum_.offer(value.tie, mapping);
  if (value >= value_) return false;
  value_ = value;
  best_.mapping = std::move(mapping);
  return true;
}

namespace {

/// What a step that runs beside others spends and proposes.
struct Attempt {
  Budget budget;
  LeastSum least_sum{};
  std::optional<Proposal> proposal{};
};

/// Ranks whose places are gone.
std::uint64_t forced_moves(const MapTask& problem) {
  const SlotSet& allowed = problem.machine.allowed();
  return static_cast<std::uint64_t>(std::ranges::count_if(
      problem.options.from->slot_of,
      [&](Slot place) { return place != no_slot && !allowed.contains(place); }));
}

MapTask with(MapTask problem, Budget& budget, LeastSum& least_sum) {
  problem.budget = &budget;
  problem.least_sum = &least_sum;
  return problem;
}

}  // namespace

Search::Search(const MapTask& problem, std::string_view made_by)
    : problem_(problem), made_by_(made_by), own_budget_(MapOptions{}), best_(problem) {}

void Search::find_lower_bound(const std::optional<GridStructure>& grid) {
  const auto& goal = problem_.options.goal;
  const bool is_network_time = goal && goal->is_only(Criterion::network_time);
  if ((goal && !is_network_time) || is_over()) return;
  if (!budget().has_time_for((goal ? 2 : 1) * lower_bound_seconds(problem_.graph))) return;
  const auto of_sum =
      objective_lower_bound(problem_.graph, problem_.machine, problem_.options.objective,
                            problem_.options.capacity, &grid);
  auto bound = of_sum;
  if (is_network_time) {
    // Bytes alone are below what is on the wire.
    bound = network_time_lower_bound(problem_.graph, problem_.machine, problem_.options.capacity,
                                     &grid);
    if (of_sum) least_tie_ = of_sum->value.units;
  }
  if (!bound || !of_sum) return;
  if (problem_.options.from) forced_moves_ = forced_moves(problem_);
  const Wide moves = Wide{problem_.options.move_cost} * forced_moves_;
  lower_bound_ = bound->value.units + moves;
  step_of_bound_ = best_.in_steps(bound->value.units) + moves;
}

bool Search::is_within(double factor) const {
  const MappingValue& value = best_.value();
  const auto is_near = [&](Wide found, Wide least) {
    return static_cast<double>(found) <= factor * static_cast<double>(least);
  };
  return lower_bound_ && is_near(value.total, *lower_bound_) &&
         is_near(value.tie, least_tie_.value_or(value.tie));
}

bool Search::has_time_for(const Step& step) {
  constexpr double told_by = 0.01;  // seconds
  const double pace =
      expected_seconds_ < told_by ? 1 : std::max(1.0, taken_seconds_ / expected_seconds_);
  return budget().has_time_for(pace * step.seconds);
}

void Search::run(std::span<const Step> steps) {
  while (!steps.empty()) {
    if (is_over()) return;
    if (!steps[0].improve && !has_time_for(steps[0])) return stop_for_time(steps);
    const auto begin = std::chrono::steady_clock::now();
    std::size_t count = 1;
    if (steps[0].improve) {
      run_improvement(steps[0]);
    } else {
      while (count < problem_.options.threads && count < steps.size() && steps[count].propose) {
        ++count;
      }
      run_proposals(steps.first(count));
    }
    // Of those beside each other the longest is what the clock has seen.
    expected_seconds_ += std::ranges::max(steps.first(count), {}, &Step::seconds).seconds;
    taken_seconds_ +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    steps = steps.subspan(count);
  }
}

void Search::run_improvement(const Step& step) {
  Mapping improved = step.improve(with(problem_, budget(), best_.least_sum()), best_.mapping());
  // What lowers the objective step by step may raise a goal that is no objective.
  const bool must_be_whole = step.is_whole || problem_.options.goal.has_value();
  if (must_be_whole && budget().stopped() == Stopped::work) return;
  best_.offer_refined(std::move(improved), made_by_);
  ++steps_done_;
}

/// What is left of the time goes to improvements, which can be cut.
void Search::stop_for_time(std::span<const Step> steps_left) {
  for (const Step& step : steps_left) {
    if (step.improve && !is_over()) run_improvement(step);
  }
  budget().stop_for_time();
}

void Search::run_proposals(std::span<const Step> steps) {
  std::vector<Attempt> attempts(steps.size(), Attempt{budget().part()});
  parallel_for(problem_.options.threads, static_cast<std::uint32_t>(steps.size()),
               [&](std::uint32_t i) {
                 Attempt& mine = attempts[i];
                 mine.proposal = steps[i].propose(with(problem_, mine.budget, mine.least_sum));
               });
  for (Attempt& attempt : attempts) {
    if (is_optimal()) return;
    const bool is_whole = budget().charge(attempt.budget);
    // What the clock has cut short still counts: nothing else may be left.
    if (!is_whole && budget().stopped() != Stopped::time) return;
    best_.least_sum().offer(attempt.least_sum.sum, attempt.least_sum.mapping);
    if (attempt.proposal) best_.offer(std::move(*attempt.proposal));
    if (is_whole) ++steps_done_;
  }
}

}  // namespace kith
