#include "mapping/search/search.hpp"

#include <algorithm>
#include <cmath>

#include "kith/detail/network_machine.hpp"
#include "mapping/budget.hpp"
#include "mapping/refine/anneal_places.hpp"

namespace kith {
namespace {

double edges_and_ranks(const TrafficGraph& graph) {
  return static_cast<double>(graph.edges()) + graph.ranks();
}

bool is_plain_grid(const Machine& machine) {
  const NetworkMachine* network = machine.as_network();
  return network != nullptr && network->network().as_grid() != nullptr &&
         network->slots_per_node() == 1;
}

/// The length of a row of TopoLB's table: see topolb/grid_slots.hpp and topolb/slot_columns.hpp.
double columns_of(const Machine& machine, std::uint64_t slots) {
  const auto count = static_cast<double>(slots);
  const NetworkMachine* network = machine.as_network();
  if (network == nullptr) return count;
  if (const GridNetwork* grid = network->network().as_grid(); is_plain_grid(machine)) {
    const double longest = std::ranges::max(grid->extents());
    return std::max(4 * std::sqrt(count), longest);
  }
  const auto* dragonfly = dynamic_cast<const DragonflyNetwork*>(&network->network());
  const double alike = dragonfly != nullptr ? dragonfly->nodes_per_router() : 1;
  return std::max(count / (network->slots_per_node() * alike), 1.0);
}

/// Of all distances between columns.
double survey_seconds(const Machine& machine, std::uint64_t slots) {
  if (machine.as_tree() != nullptr || is_plain_grid(machine)) return 0;
  const double columns = columns_of(machine, slots);
  const NetworkMachine* network = machine.as_network();
  const bool is_dragonfly =
      network != nullptr && dynamic_cast<const DragonflyNetwork*>(&network->network()) != nullptr;
  return (is_dragonfly ? 2.2e-8 : 4e-9) * columns * columns;
}

/// Of so many distances on machines that compute them slowly, or of a table of them where that is
/// less: see refine/anneal_places.hpp.
double lookup_seconds(const MapTask& problem, double lookups) {
  constexpr double each = 2.5e-8;
  const NetworkMachine* network = problem.machine.as_network();
  if (network == nullptr) return 0;
  if (const GridNetwork* grid = network->network().as_grid()) {
    return std::ranges::max(grid->extents()) <= 256 ? 0 : each * lookups;
  }
  const double sites = columns_of(problem.machine, problem.machine.allowed().size());
  return each * std::min(lookups, sites * sites / 2);
}

/// How much longer random access to what is kept of the ranks takes than where it is few.
double cache_factor(std::uint32_t ranks) {
  return std::clamp(1 + 0.5 * std::log2(ranks / 4096.0), 1.0, 4.0);
}

}  // namespace

bool pay(const MapTask& problem, double seconds) {
  return problem.budget == nullptr ||
         problem.budget->spend(static_cast<std::uint64_t>(seconds * 1e7));
}

double seconds_of(Effort effort, const MapTask& problem) {
  const double ranks = problem.graph.ranks();
  // What divisions leave to be found is more on networks than on trees.
  const bool is_tree = problem.machine.as_tree() != nullptr;
  switch (effort) {
    case Effort::fast:
      return std::max(std::clamp(0.005 + 4e-5 * ranks, 0.05, 3.0),
                      is_tree ? 0 : std::min(0.005 + 2e-4 * ranks, 0.6));
    case Effort::balanced:
      return std::clamp(7e-5 * ranks, std::min(0.25 + 5e-4 * ranks, 3.0), 9.0);
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

double division_seconds(const MapTask& problem, const multilevel::Trials& trials) {
  const double edges = edges_and_ranks(problem.graph);
  // Combinations and partitions are for trees; see Trials for their times.
  if (problem.machine.as_tree() == nullptr) return 4e-6 * edges;
  const double each = trials.sweeps < multilevel::Trials{}.sweeps ? 7e-7 : 1e-6;
  return std::max(cache_factor(problem.graph.ranks()) - 1, 1.0) * each *
         (2 + trials.partitions + trials.cycles) * edges;
}

double annealing_seconds(const MapTask& problem, std::uint64_t tests_per_rank) {
  const double ranks = problem.graph.ranks();
  const double degree = 2 * static_cast<double>(problem.graph.edges()) / std::max(ranks, 1.0);
  const double tests = static_cast<double>(tests_per_rank) * ranks;
  const bool has_table = problem.machine.allowed().size() <= 256;  // see anneal_places.hpp
  const bool is_tree = problem.machine.as_tree() != nullptr;
  const bool is_plain = is_tree || is_plain_grid(problem.machine);
  const NetworkMachine* network = problem.machine.as_network();
  const bool has_offsets = network != nullptr && GridOffsets::suit(*network);
  const double each = has_table     ? 7e-8 + 3e-9 * degree
                      : is_tree     ? 5.5e-8 + 3e-9 * degree
                      : has_offsets ? 5.5e-8 + 3e-9 * degree
                                    : 9e-8 + 5e-9 * degree;
  const double slower = has_table || is_plain ? 1 : has_offsets ? 1.3 : 1.7;
  const double seconds = slower * each * tests + lookup_seconds(problem, 2 * degree * tests);
  return cache_factor(problem.graph.ranks()) * seconds;
}

double topolb_effort(const MapTask& problem, std::uint64_t slots) {
  const double ranks = problem.graph.ranks();
  const double edges = static_cast<double>(problem.graph.edges());
  // What is taken leaves a row, but on grids.
  const double looks = is_plain_grid(problem.machine) ? 2 : 1;
  return 4 * ranks * ranks + looks * edges * columns_of(problem.machine, slots);
}

double topolb_seconds(const MapTask& problem, std::uint64_t slots) {
  const double each = 0.6e-9 * cache_factor(problem.graph.ranks());
  return each * topolb_effort(problem, slots) + survey_seconds(problem.machine, slots) +
         2e-7 * edges_and_ranks(problem.graph);
}

double topocentlb_seconds(const MapTask& problem, std::uint64_t slots) {
  const double each =
      problem.machine.as_tree() != nullptr || is_plain_grid(problem.machine) ? 5e-9 : 2e-8;
  const double columns = columns_of(problem.machine, slots);
  return each * columns * edges_and_ranks(problem.graph) / 2 +
         survey_seconds(problem.machine, slots) + 2e-7 * edges_and_ranks(problem.graph);
}

double choicemap_seconds(const TrafficGraph& graph) {
  return 1.5e-6 * edges_and_ranks(graph);
}

double dense_seconds(const MapTask& problem, std::uint64_t tests) {
  return 1.5e-8 * static_cast<double>(tests) + 2e-8 * edges_and_ranks(problem.graph);
}

double packing_seconds(const MapTask& problem, std::uint32_t groups,
                       std::uint64_t tests_per_group) {
  // Ties of a group: some of all pairs lie inside.
  const double ties = 0.3 * static_cast<double>(problem.graph.edges()) / groups;
  const double tests = 2.0 * static_cast<double>(tests_per_group) * groups;
  return 5e-7 * edges_and_ranks(problem.graph) + 2e-7 * groups + (1e-7 + 2e-8 * ties) * tests;
}

double structure_seconds(const TrafficGraph& graph) {
  return 3e-7 * edges_and_ranks(graph);
}

double lower_bound_seconds(const TrafficGraph& graph) {
  return 2e-7 * edges_and_ranks(graph);
}

std::uint64_t visits_in(const MapTask& problem, double seconds) {
  const double each = problem.machine.as_tree() != nullptr ? 1e-8 : 1e-7;
  return static_cast<std::uint64_t>(seconds / each);
}

}  // namespace kith
