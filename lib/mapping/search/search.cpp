#include "mapping/search/search.hpp"

#include <algorithm>
#include <utility>

#include "core/parallel.hpp"
#include "kith/lower_bound.hpp"
#include "mapping/search/cost_model.hpp"

namespace kith {
namespace {

/// What a step that runs beside others spends and proposes.
struct Attempt {
  Budget budget;
  std::optional<Proposal> proposal;
};

/// Ranks whose places are gone.
std::uint64_t forced_moves(const MapProblem& problem) {
  const SlotSet& allowed = problem.machine.allowed();
  return static_cast<std::uint64_t>(std::ranges::count_if(
      problem.options.from->slot_of,
      [&](Slot place) { return place != no_slot && !allowed.contains(place); }));
}

MapProblem with_budget(MapProblem problem, Budget& budget) {
  problem.budget = &budget;
  return problem;
}

}  // namespace

Search::Search(const MapProblem& problem, std::string_view made_by)
    : problem_(problem), made_by_(made_by), own_budget_(MapOptions{}), best_(problem) {}

void Search::find_lower_bound(const std::optional<GridStructure>& grid) {
  if (problem_.options.goal || is_over()) return;
  if (!budget().has_time_for(lower_bound_seconds(problem_.graph))) return;
  const auto bound =
      objective_lower_bound(problem_.graph, problem_.machine, problem_.options.objective,
                            problem_.options.capacity, &grid);
  if (!bound) return;
  if (problem_.options.from) forced_moves_ = forced_moves(problem_);
  lower_bound_ = Wide{bound->value.units} + Wide{problem_.options.move_cost} * forced_moves_;
}

bool Search::is_within(double factor) const {
  return lower_bound_ &&
         static_cast<double>(best_.value().total) <= factor * static_cast<double>(*lower_bound_);
}

void Search::run(std::span<const Step> steps) {
  while (!steps.empty()) {
    if (is_over()) return;
    if (steps[0].improve) {
      run_improvement(steps[0]);
      steps = steps.subspan(1);
      continue;
    }
    if (!budget().has_time_for(steps[0].seconds)) return stop_for_time(steps);
    std::size_t count = 1;
    while (count < problem_.options.threads && count < steps.size() && steps[count].propose) {
      ++count;
    }
    run_proposals(steps.first(count));
    steps = steps.subspan(count);
  }
}

void Search::run_improvement(const Step& step) {
  Mapping improved = step.improve(with_budget(problem_, budget()), best_.mapping());
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
  std::vector<Attempt> attempts(steps.size(), Attempt{budget().part(), {}});
  parallel_for(problem_.options.threads, static_cast<std::uint32_t>(steps.size()),
               [&](std::uint32_t i) {
                 Attempt& mine = attempts[i];
                 mine.proposal = steps[i].propose(with_budget(problem_, mine.budget));
               });
  for (Attempt& attempt : attempts) {
    if (is_optimal()) return;
    const bool is_whole = budget().charge(attempt.budget);
    // What the clock has cut short still counts: nothing else may be left.
    if (!is_whole && budget().stopped() != Stopped::time) return;
    if (attempt.proposal) best_.offer(std::move(*attempt.proposal));
    if (is_whole) ++steps_done_;
  }
}

}  // namespace kith
