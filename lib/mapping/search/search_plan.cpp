#include "mapping/search/search_plan.hpp"

#include <iterator>
#include <string>
#include <utility>

#include "mapping/exact/exact_search.hpp"
#include "mapping/refine/bottleneck/bottleneck_refine.hpp"
#include "mapping/search/cost_model.hpp"
#include "mapping/search/explain.hpp"
#include "mapping/search/own_steps.hpp"
#include "mapping/search/published_steps.hpp"
#include "mapping/search/quick_start.hpp"
#include "mapping/search/search.hpp"
#include "mapping/tiling/offer_tilings.hpp"

namespace kith {
namespace {

/// Each published mapper comes when it costs at most a third of all before it, or else last.
std::vector<Step> merged(std::vector<Step> own, std::vector<Step> published) {
  std::vector<Step> steps;
  auto next = published.begin();
  double before = 0;
  for (Step& step : own) {
    for (; next != published.end() && 3 * next->seconds <= before; ++next) {
      before += next->seconds;
      steps.push_back(std::move(*next));
    }
    before += step.seconds;
    steps.push_back(std::move(step));
  }
  std::move(next, published.end(), std::back_inserter(steps));
  return steps;
}

/// A handful of ranks: true where the best is proven to be the optimum.
bool offer_optimum(const MapProblem& problem, Search& search) {
  const Effort effort = problem.options.effort;
  const std::uint64_t steps = effort == Effort::fast       ? 30'000
                              : effort == Effort::balanced ? 300'000
                                                           : 10'000'000;
  auto exact = exact::search_exactly(problem, search.best().mapping(), steps);
  if (!exact) return false;
  search.best().offer({std::move(exact->mapping), "kith",
                       exact->is_optimal ? "exhaustive search" : "branch and bound"});
  if (exact->is_optimal) search.prove_optimal();
  return exact->is_optimal;
}

/// Dense traffic takes long to bound, and the bound is far off.
bool is_bound_worth_it(const MapProblem& problem) {
  const double seconds = seconds_of(problem.options.effort, problem.graph.ranks());
  return 10 * lower_bound_seconds(problem.graph) < seconds;
}

Situation situation_of(const MapProblem& problem, const Search& search,
                       const tiling::Pattern& pattern) {
  if (search.best().is_start()) return Situation::no_start;
  // Fewer moves are worth a search.
  if (problem.options.from && problem.options.move_cost > 0) return Situation::some_start;
  // Measured on grids of 2 and 3 dimensions and trees of all arities: nearer than that, divisions
  // gain nothing, or 2 in 1000.
  constexpr double near = 1.05;
  return pattern.grid && search.is_within(near) ? Situation::near_bound : Situation::some_start;
}

}  // namespace

std::vector<Step> planned_steps(const MapProblem& problem, Candidates candidates,
                                Situation situation) {
  const Effort effort = problem.options.effort;
  if (situation == Situation::near_bound && effort != Effort::best) return {};
  OwnSteps own = own_steps(problem);
  if (candidates == Candidates::all) {
    own.steps = merged(std::move(own.steps), published_steps(problem));
  }
  const double bottlenecks = bottleneck_seconds(problem);  // nearly all steps end with that
  for (Step& step : own.steps) step.seconds += bottlenecks;
  const auto taken = affordable(own.steps, seconds_of(effort, problem.graph.ranks()),
                                situation == Situation::no_start ? own.at_least : 0);
  own.steps.resize(taken.size());
  const bool has_none = problem.machine.as_tree() != nullptr;  // network_steps() sees to it
  if (problem.options.time_limit && has_none && !own.steps.empty()) {
    Step quick = quick_start(problem);
    if (2 * quick.seconds < own.steps[0].seconds) {
      own.steps.insert(own.steps.begin(), std::move(quick));
    }
  }
  return std::move(own.steps);
}

Mapper::Answer search_mapping(const MapProblem& problem, Candidates candidates) {
  Search search(problem, "kith");
  tiling::Pattern pattern;
  if (problem.graph.edges() > 0 && !search.is_over() && !offer_optimum(problem, search) &&
      pay(problem, structure_seconds(problem.graph))) {
    pattern = tiling::offer_tilings(problem, search.best());
    if (is_bound_worth_it(problem)) search.find_lower_bound(pattern.grid);
    search.run(planned_steps(problem, candidates, situation_of(problem, search, pattern)));
  }
  const Incumbent& best = search.best();
  return {best.mapping(), best.made_by(), explain(problem, search, pattern.text),
          search.is_proven()};
}

}  // namespace kith
