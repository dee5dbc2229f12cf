#include "mapping/search/published_steps.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kith/error.hpp"
#include "mapping/mappers.hpp"
#include "mapping/refine/swap_refine.hpp"
#include "mapping/search/cost_model.hpp"

namespace kith {
namespace {

/// The mapper's own answer, then swaps for so long at most.
Step step_of(const Mapper& mapper, double seconds, double swap_seconds) {
  const auto propose = [=, &mapper](const MapProblem& problem) -> std::optional<Proposal> {
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

std::vector<Step> published_steps(const MapProblem& problem) {
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

}  // namespace kith
