#include "mapping/portfolio/cost_model.hpp"

#include <algorithm>

namespace kith {
namespace {

double edges_and_ranks(const TrafficGraph& graph) {
  return static_cast<double>(graph.edges()) + graph.ranks();
}

}  // namespace

bool pay(const MapProblem& problem, double seconds) {
  return problem.budget == nullptr ||
         problem.budget->spend(static_cast<std::uint64_t>(seconds * 1e7));
}

double seconds_of(Effort effort, std::uint32_t ranks) {
  switch (effort) {
    case Effort::fast:
      return std::min(0.005 + 4e-5 * ranks, 3.0);
    case Effort::balanced:
      return std::min(0.02 + 5e-4 * ranks, 3.0);
    case Effort::best:
      break;
  }
  return std::min(0.5 + 2e-2 * ranks, 40.0);
}

std::span<const Step> affordable(std::span<const Step> steps, double seconds,
                                 std::size_t at_least) {
  std::size_t count = 0;
  for (double sum = 0; count < steps.size(); ++count) {
    sum += steps[count].seconds;
    if (sum > seconds && count >= at_least) break;
  }
  return steps.first(count);
}

double division_seconds(const MapProblem& problem, const multilevel::Trials& trials) {
  const double edges = edges_and_ranks(problem.graph);
  // Combinations and partitions are for trees; see trials.hpp for their times.
  if (problem.machine.as_tree() == nullptr) return 4e-6 * edges;
  return (2e-6 + 1e-6 * trials.partitions + 1e-6 * trials.cycles) * edges;
}

double annealing_seconds(const MapProblem& problem, std::uint64_t tests_per_rank) {
  return 3e-7 * static_cast<double>(tests_per_rank) * problem.graph.ranks();
}

double structure_seconds(const TrafficGraph& graph) {
  return 3e-7 * edges_and_ranks(graph);
}

double lower_bound_seconds(const TrafficGraph& graph) {
  return 2e-7 * edges_and_ranks(graph);
}

std::uint64_t visits_in(const MapProblem& problem, double seconds) {
  const double each = problem.machine.as_tree() != nullptr ? 1e-8 : 1e-7;
  return static_cast<std::uint64_t>(seconds / each);
}

}  // namespace kith
