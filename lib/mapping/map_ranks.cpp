#include <chrono>

#include "mapping/budget.hpp"
#include "mapping/check_problem.hpp"
#include "mapping/fill_slots.hpp"
#include "mapping/fixed_ranks.hpp"
#include "mapping/refine/swap_refine.hpp"
#include "mapping/remap/align.hpp"
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

MapResult map_ranks(const Algorithm& algorithm, const MapProblem& problem) {
  const auto start = std::chrono::steady_clock::now();
  const MapOptions& options = problem.options;
  Budget budget(options);
  const MapProblem budgeted{problem.graph, problem.machine, options, &budget, problem.matrix};
  check_problem(problem);
  check_settings(*algorithm.mapper, options.settings);

  Mapper::Answer answer = algorithm.mapper->map(budgeted);
  MapResult result{std::move(answer.mapping), std::move(answer.made_by),
                   std::move(answer.explanation)};
  result.is_optimal = answer.is_optimal;
  result.mapping = place_fixed_ranks(budgeted, std::move(result.mapping));
  result.mapping = fill_short_slots(budgeted, std::move(result.mapping));
  if (options.from) result.mapping = align(budgeted, std::move(result.mapping));
  if (algorithm.refine) {
    result.mapping = refine_by_swaps(budgeted, std::move(result.mapping));
    if (result.algorithm == algorithm.mapper->name()) result.algorithm = algorithm.name();
  }
  check_mapping(result.mapping, problem.machine, options.capacity);
  budget.exhausted();  // a mapper's last step may have run past the time
  result.stopped = budget.stopped();
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace kith
