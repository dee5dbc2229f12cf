#include "mapping/search/search_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kith/error.hpp"
#include "kith/mapper.hpp"
#include "mapping/budget.hpp"
#include "mapping/exact/exact_search.hpp"
#include "mapping/packing/packing.hpp"
#include "mapping/refine/refine.hpp"
#include "mapping/registry.hpp"
#include "mapping/search/search.hpp"
#include "mapping/tiling/tilings.hpp"

namespace kith {
namespace {

// Published mappers as steps of a search.

/// The mapper's own answer, then swaps for so long at most.
Step step_of(const Mapper& mapper, double seconds, double swap_seconds) {
  const auto propose = [=, &mapper](const MapTask& problem) -> std::optional<Proposal> {
    if (!pay(problem, seconds)) return std::nullopt;
    try {
      Mapping mapping = with_constraints(problem, mapper.map(problem).mapping);
      mapping = refine_by_swaps(problem, std::move(mapping), visits_in(problem, swap_seconds));
      return Proposal{std::move(mapping), Algorithm{&mapper, true}.name(),
                      std::string(mapper.name())};
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::input) throw;
      return std::nullopt;  // a machine that it cannot use
    }
  };
  Step step{seconds + swap_seconds, propose, {}};
  step.published = &mapper;
  return step;
}

}  // namespace

std::vector<Step> published_steps(const MapTask& problem) {
  const TrafficGraph& graph = problem.graph;
  const double ranks = graph.ranks();
  const double edges = static_cast<double>(graph.edges()) + 2 * ranks;
  const double swaps = std::max(1e-6 * edges, 2e-3);
  std::vector<Step> steps;
  const auto add = [&](const Mapper& mapper, double seconds) {
    steps.push_back(step_of(mapper, seconds, swaps));
  };
  // Measured, roughly, on patterns of 1000 to 16 thousand ranks with 2 to 500 thousand edges.
  if (problem.machine.as_tree() != nullptr) {
    add(eagermap_mapper(), 5e-7 * edges);
    add(treematch_mapper(), 1e-6 * edges + 8e-9 * ranks * ranks);
    add(scotch_mapper(), 2e-3 + 3 * std::pow(ranks / 32768, 2.5) + 1e-5 * edges);
  } else {
    const double scotch = 2e-3 + 0.4 * std::pow(ranks / 4096, 1.5) + 1e-5 * edges;
    add(eagermap_mapper(), 5e-7 * edges);
    add(scotch_mapper(), scotch);
    add(treematch_mapper(), 2 * scotch);
    if (problem.options.coordinates) add(gsearch_mapper(), 2e-3 + 5e-7 * std::pow(ranks, 1.8));
  }
  // Each of three starts looks at all pairs of ranks, once for nearly each rank.
  const double degree = 2 * edges / ranks;
  add(mpipp_mapper(),
      3e-7 * degree * ranks * ranks * std::min(ranks, 16 * std::max(1.0, degree / 16)));
  add(identity_mapper(), 0);
  add(choicemap_mapper(), 1.5e-6 * edges);
  const bool is_own_start = problem.machine.as_tree() == nullptr && problem.options.capacity == 1;
  if (!is_own_start) add(topolb_mapper(), 2e-8 * ranks * ranks + 1e-6 * edges);
  std::ranges::stable_sort(steps, {}, &Step::seconds);
  return steps;
}

namespace {

// What the user should know of an answer, in at most two lines.

/// What an optimum is subject to; a job alone fixes rank 0, of which its user need not know.
std::string fixed_words(const std::vector<FixedRank>& fixed) {
  if (fixed.empty()) return "";
  if (fixed.size() == 1) return fmt::format(" with rank {} in its place", fixed[0].rank.value);
  return fmt::format(" with {} ranks in their places", fixed.size());
}

std::string why_nothing_changes(const MapTask& problem, const Search& search) {
  if (problem.graph.edges() == 0) return "no pair has any traffic";
  if (search.is_optimal()) {
    return fmt::format("no order{} can be better", fixed_words(problem.options.fixed));
  }
  const Stopped stopped = problem.budget != nullptr ? problem.budget->stopped() : Stopped::done;
  if (search.steps_done() == 0 && stopped != Stopped::done) {
    return fmt::format("the {} did not suffice for any other", to_string(stopped));
  }
  if (search.steps_done() == 0) return "this effort allows for no try on so many ranks";
  if (search.steps_done() == 1) return "the only try was not better";
  return fmt::format("none of {} tries was better", search.steps_done());
}

/// "3D 7-point stencil 64x64x32, non-periodic; cut into blocks of 2x4x4 / 4x4x8 ranks; hop-bytes
/// 0.65 of the present order". Where the present order stays: why. `pattern`: what was found in the
/// traffic, may be empty; nothing where it was not looked for. `because`: why_nothing_changes(). No
/// seconds: the same answer has the same words.
std::vector<std::string> explain(const MapTask& problem, const Search& search,
                                 const std::optional<std::string>& looked_for,
                                 const std::string& because) {
  const std::string pattern = looked_for.value_or("");
  const Incumbent& best = search.best();
  if (best.is_start()) {
    return {
        fmt::format("{}{}{} stays: {}", pattern, pattern.empty() ? "" : "; ", best.how(), because)};
  }
  const double share = static_cast<double>(best.value().exact) /
                       static_cast<double>(std::max<Wide>(best.identity_value().exact, 1));
  const bool counts_moves = problem.options.from && problem.options.move_cost > 0;
  // An exhaustive search looks for no grid.
  const std::string found =
      search.is_proven() || !looked_for ? "" : (pattern.empty() ? "no grid" : pattern) + "; ";
  const std::string how = best.how() == "identity" ? "swaps in the present order"
                          : pattern.empty() && best.how().starts_with("cut into blocks of")
                              ? "cut into blocks of equal shape"  // of a grid that has no name
                              : best.how();
  return {fmt::format("{}{}{}; {} {:.3g} of {}{}{}", found, how,
                      best.is_refined() ? ", refined" : "", goal_of(problem.options).name(), share,
                      best.identity_name(), counts_moves ? ", moves included" : "",
                      search.is_optimal()
                          ? ", and nothing can be lower" + fixed_words(problem.options.fixed)
                          : "")};
}

/// A handful of ranks: true where the best is proven to be the optimum.
bool offer_optimum(const MapTask& problem, Search& search) {
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
bool is_bound_worth_it(const MapTask& problem) {
  const double seconds = seconds_of(problem.options.effort, problem);
  return 10 * lower_bound_seconds(problem.graph) < seconds;
}

/// `before`: without tilings.
Situation situation_of(const MapTask& problem, const Search& search, const MappingValue& before,
                       const tiling::Pattern& pattern) {
  if (search.best().value() >= before) return Situation::no_start;
  // Fewer moves are worth a search.
  if (problem.options.from && problem.options.move_cost > 0) return Situation::some_start;
  // Measured on grids of 2 and 3 dimensions and trees of all arities: nearer than that, divisions
  // gain nothing, or 2 in 1000. Not so on networks: 8x4x4 on 16 nodes of a torus
  // stayed 4% above what a search finds.
  // Of few ranks the little that is left costs no time to find.
  constexpr std::uint32_t few_ranks = 64;
  const double near = problem.graph.ranks() <= few_ranks ? 1 : 1.05;
  const bool is_near =
      problem.machine.as_tree() != nullptr && pattern.grid && search.is_within(near);
  return is_near ? Situation::near_bound : Situation::some_start;
}

/// What has its use when the first step of a search does not come to its end.
void begin_quickly(const MapTask& problem, std::vector<Step>& steps) {
  const double first = steps[0].seconds;
  Step quick = quick_start(problem);
  const bool has_none = problem.machine.as_tree() != nullptr;  // network_steps() sees to it
  if (has_none && 2 * quick.seconds < first) steps.insert(steps.begin(), std::move(quick));
  const double seconds = 0.1 * first;
  const auto improve = [seconds](const MapTask& whole, Mapping best) {
    return refine_by_swaps(whole, std::move(best), visits_in(whole, seconds));
  };
  steps.insert(steps.begin(), Step{seconds, {}, improve});
}

/// Whether the goal is one largest load alone, which has searches of its own.
bool has_largest_load(const MapTask& problem) {
  return problem.options.goal && bottleneck_seconds(problem) > 0 && !problem.options.goal->is_mix();
}

}  // namespace

std::vector<Step> planned_steps(const MapTask& problem, Candidates candidates,
                                Situation situation) {
  const Effort effort = problem.options.effort;
  if (situation == Situation::near_bound && effort != Effort::best) return {};
  // Of more ranks fast has no time for another search once it has been through that for the sum.
  constexpr std::uint32_t few = 512;
  const bool is_short =
      effort == Effort::fast && has_largest_load(problem) && problem.graph.ranks() > few;
  OwnSteps own = is_short ? OwnSteps{.steps = spread_steps(problem)} : own_steps(problem);
  const double bottlenecks = bottleneck_seconds(problem);  // nearly all steps end with that
  for (Step& step : own.steps) step.seconds += bottlenecks;
  const auto taken = affordable(own.steps, seconds_of(effort, problem),
                                situation == Situation::no_start ? own.at_least : 0);
  own.steps.resize(taken.size());
  if (has_largest_load(problem)) {
    own.steps.push_back({bottleneck_annealing_seconds(problem), {}, anneal_bottlenecks});
  }
  if (problem.options.time_limit && !own.steps.empty()) begin_quickly(problem, own.steps);
  if (candidates == Candidates::all) {
    // Behind all that kith does, so that auto is never worse than kith.
    std::vector<Step> published = published_steps(problem);
    for (Step& step : published) step.seconds += bottlenecks;
    const auto few = affordable(published, seconds_of(effort, problem), 0);
    std::move(published.begin(), published.begin() + static_cast<std::ptrdiff_t>(few.size()),
              std::back_inserter(own.steps));
  }
  return std::move(own.steps);
}

namespace {

MapTask with_options(const MapTask& task, const MapOptions& options) {
  MapTask other(task.graph, task.machine, options, task.budget);
  other.matrix = task.matrix;
  other.wire = task.wire;
  other.least_sum = task.least_sum;
  return other;
}

/// What the effort finds for the objective alone: where a search for the largest load begins, and
/// what its order is not to be far above.
void offer_least_sum(const MapTask& problem, Situation situation,
                     const std::optional<GridStructure>& grid, Search& search) {
  if (search.is_over()) return;
  MapOptions options = problem.options;
  options.goal.reset();
  const MapTask sums = with_options(problem, options);
  Search plain(sums, "kith");
  LeastSum& least = search.best().least_sum();
  plain.best().offer({least.mapping, "kith", ""});
  if (is_bound_worth_it(sums)) plain.find_lower_bound(grid);
  plain.run(planned_steps(sums, Candidates::own, situation));
  const Incumbent& found = plain.best();
  if (found.is_start()) return;
  const std::string how = found.how().empty() ? search.best().how() : found.how();
  MapTask of_goal = problem;
  of_goal.least_sum = &least;
  search.best().offer({refine_by_swaps(of_goal, found.mapping()), "kith", how});
}

/// What a smaller effort would do. `smaller`: the problem's options with that effort; must outlive
/// the steps.
std::vector<Step> smaller_steps(const MapTask& problem, const MapOptions& smaller,
                                Situation situation) {
  std::vector<Step> steps =
      planned_steps(with_options(problem, smaller), Candidates::own, situation);
  for (Step& step : steps) {
    if (step.propose) {
      step.propose = [propose = std::move(step.propose), &smaller](const MapTask& task) {
        return propose(with_options(task, smaller));
      };
    } else {
      step.improve = [improve = std::move(step.improve), &smaller](const MapTask& task,
                                                                   Mapping best) {
        return improve(with_options(task, smaller), std::move(best));
      };
    }
  }
  return steps;
}

/// The finder of grids asks the clock between its parts only. Most graphs are told from grids in a
/// third of what it may take.
bool has_time_for_structure(const MapTask& problem) {
  return problem.budget == nullptr ||
         problem.budget->has_time_for(structure_seconds(problem.graph) / 3);
}

/// Of searches for the largest load a large one may end above a small one, and one that the time
/// cuts short is worth less than a small one that ends: all smaller ones come first. Of sums the
/// steps of a smaller effort are among those of a larger one, and the quick start in
/// planned_steps().
void run_steps(const MapTask& problem, Candidates candidates, Situation situation,
               const std::optional<GridStructure>& grid, Search& search) {
  const bool is_largest_load = has_largest_load(problem);
  for (const Effort effort : {Effort::fast, Effort::balanced, Effort::best}) {
    if (effort > problem.options.effort) break;
    const bool is_last = effort == problem.options.effort;
    if (!is_last && !problem.options.goal) continue;
    MapOptions options = problem.options;
    options.effort = effort;
    // What `best` would add to the sum is less than what that time gives to the largest load.
    if (is_largest_load && effort != Effort::best) {
      offer_least_sum(with_options(problem, options), situation, grid, search);
      if (situation == Situation::no_start) situation = Situation::some_start;
    }
    search.run(is_last ? planned_steps(problem, candidates, situation)
                       : smaller_steps(problem, options, situation));
  }
}

}  // namespace

Mapper::Answer search_mapping(const MapTask& problem, Candidates candidates) {
  Search search(problem, "kith");
  std::optional<std::string> pattern;
  // Where time is short the search may not come to its first step.
  if (problem.options.time_limit && problem.graph.edges() > 0) {
    search.best().offer({packing::grown_order(problem), "kith", "breadth-first order"});
  }
  if (problem.graph.edges() > 0 && !search.is_over() && !offer_optimum(problem, search) &&
      pay(problem, structure_seconds(problem.graph))) {
    const MappingValue before = search.best().value();
    tiling::Pattern found;
    if (has_time_for_structure(problem)) {
      found = tiling::offer_tilings(problem, search.best());
      pattern = found.text;
    }
    if (is_bound_worth_it(problem)) search.find_lower_bound(found.grid);
    const Situation situation = situation_of(problem, search, before, found);
    run_steps(problem, candidates, situation, found.grid, search);
  }
  const Incumbent& best = search.best();
  const std::string because = best.is_start() ? why_nothing_changes(problem, search) : "";
  return {best.mapping(), best.made_by(), explain(problem, search, pattern, because), because,
          search.is_proven()};
}

}  // namespace kith
