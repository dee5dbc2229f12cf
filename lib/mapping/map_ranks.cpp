#include <chrono>

#include "kith/error.hpp"
#include "mapping/budget.hpp"
#include "mapping/fill_slots.hpp"
#include "mapping/fixed_ranks.hpp"
#include "mapping/refine/swap_refine.hpp"
#include "mapping/settings.hpp"

namespace kith {

std::string_view to_string(Stopped stopped) {
  switch (stopped) {
    case Stopped::time:
      return "time";
    case Stopped::work:
      return "work";
    case Stopped::done:
      break;
  }
  return "done";
}

namespace {

/// Of what describes each rank: one item per rank, or none.
void require_one_per_rank(std::uint64_t found, std::uint32_t ranks, std::string_view option,
                          std::string_view what) {
  if (found == 0 || found == ranks) return;
  throw bad_input(option, std::string(what) + " for each of " + std::to_string(ranks) + " ranks",
                  std::to_string(found));
}

void check_rank_facts(const MapProblem& problem) {
  const std::uint32_t ranks = problem.graph.ranks();
  require_one_per_rank(problem.options.loads.size(), ranks, "--loads", "a load");
  if (problem.options.coordinates) {
    require_one_per_rank(problem.options.coordinates->ranks(), ranks, "--coordinates", "a point");
  }
}

}  // namespace

MapResult map_ranks(const Algorithm& algorithm, const MapProblem& problem) {
  const auto start = std::chrono::steady_clock::now();
  const MapOptions& options = problem.options;
  identity_mapping(problem.graph.ranks(), problem.machine, options.capacity);  // do they fit?
  total_weight(problem.graph);  // sums of weights fit 64 bits from here on
  Budget budget(options);
  const MapProblem budgeted{problem.graph, problem.machine, options, &budget};
  check_fixed_ranks(budgeted);
  check_rank_facts(problem);
  check_settings(*algorithm.mapper, options.settings);

  Mapper::Answer answer = algorithm.mapper->map(budgeted);
  MapResult result{std::move(answer.mapping), std::move(answer.made_by)};
  result.mapping = place_fixed_ranks(budgeted, std::move(result.mapping));
  result.mapping = fill_short_slots(budgeted, std::move(result.mapping));
  if (algorithm.refine) {
    result.mapping = refine_by_swaps(budgeted, std::move(result.mapping));
    if (result.algorithm == algorithm.mapper->name()) result.algorithm = algorithm.name();
  }
  check_mapping(result.mapping, problem.machine, options.capacity);
  budget.exhausted();  // a mapper that cannot be interrupted may have run past the time
  result.stopped = budget.stopped();
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace kith
