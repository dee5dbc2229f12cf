#include "mapping/portfolio/cost_model.hpp"

#include <algorithm>

#include "kith/network_machine.hpp"

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
  const double each = trials.sweeps < multilevel::Trials{}.sweeps ? 7e-7 : 1e-6;
  return each * (2 + trials.partitions + trials.cycles) * edges;
}

double annealing_seconds(const MapProblem& problem, std::uint64_t tests_per_rank) {
  const double ranks = problem.graph.ranks();
  const double degree = 2 * static_cast<double>(problem.graph.edges()) / std::max(ranks, 1.0);
  return (1.5e-7 + 1e-8 * degree) * static_cast<double>(tests_per_rank) * ranks;
}

double topolb_seconds(const MapProblem& problem, std::uint64_t slots) {
  const NetworkMachine* network = problem.machine.as_network();
  const double per_node = network != nullptr ? network->slots_per_node() : 1;
  return 2e-8 * problem.graph.ranks() * (static_cast<double>(slots) / per_node) +
         5e-7 * edges_and_ranks(problem.graph);
}

double choicemap_seconds(const TrafficGraph& graph) {
  return 1.5e-6 * edges_and_ranks(graph);
}

double dense_seconds(const MapProblem& problem, std::uint64_t tests) {
  return 1.5e-8 * static_cast<double>(tests) + 2e-8 * edges_and_ranks(problem.graph);
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
