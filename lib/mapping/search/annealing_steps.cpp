#include "mapping/search/annealing_steps.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "mapping/mappers.hpp"
#include "mapping/refine/anneal.hpp"
#include "mapping/refine/swap_refine.hpp"
#include "mapping/search/cost_model.hpp"

namespace kith {
namespace {

/// Swaps after annealing, as a share of its time.
constexpr double swap_share = 0.2;

/// Short annealing must begin cool, or it destroys more of the start than it mends.
Cooling cooling_for(std::uint64_t tests_per_rank) {
  const double heat = 0.15 * std::sqrt(static_cast<double>(tests_per_rank) / 300);
  return {std::clamp(heat, 0.03, 0.5), 0.01, tests_per_rank};
}

Step restart(const MapProblem& problem, std::uint64_t tests_per_rank, std::uint64_t seed) {
  const auto propose = [=](const MapProblem& part) -> std::optional<Proposal> {
    MapOptions options = part.options;
    options.seed = seed;
    const MapProblem seeded{part.graph, part.machine, options, part.budget};
    Mapping mapping = with_constraints(part, random_mapper().map(seeded).mapping);
    mapping = annealed(part, std::move(mapping), tests_per_rank, seed);
    return Proposal{std::move(mapping), "kith", "annealing from a random order"};
  };
  return {annealed_seconds(problem, tests_per_rank), propose, {}};
}

}  // namespace

Mapping annealed(const MapProblem& problem, Mapping mapping, std::uint64_t tests_per_rank,
                 std::uint64_t seed) {
  mapping = anneal(problem, std::move(mapping), cooling_for(tests_per_rank), seed, problem.budget);
  const double seconds = swap_share * annealing_seconds(problem, tests_per_rank);
  return refine_by_swaps(problem, std::move(mapping), visits_in(problem, seconds));
}

double annealed_seconds(const MapProblem& problem, std::uint64_t tests_per_rank) {
  return (1 + swap_share) * annealing_seconds(problem, tests_per_rank);
}

Step annealing(const MapProblem& problem, std::uint64_t tests_per_rank) {
  const std::uint64_t seed = problem.options.seed + tests_per_rank;
  Step step;
  step.seconds = annealed_seconds(problem, tests_per_rank);
  step.is_whole = true;
  step.improve = [=](const MapProblem& part, Mapping best) {
    return annealed(part, std::move(best), tests_per_rank, seed);
  };
  return step;
}

void append_restarts(const MapProblem& problem, std::uint64_t tests_per_rank,
                     std::vector<Step>& steps) {
  constexpr int most = 64;
  for (int i = 1; i <= most; ++i) {
    steps.push_back(restart(problem, tests_per_rank, problem.options.seed + i));
  }
}

}  // namespace kith
