// Where slots stay free: orders on as many nodes as there are.
#include "mapping/search/search_plan.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "mapping/multilevel/multilevel.hpp"
#include "mapping/refine/refine.hpp"
#include "mapping/registry.hpp"

namespace kith {
namespace {

/// Allowed slots by node.
using NodeSlots = std::vector<std::vector<Slot>>;

NodeSlots slots_of_nodes(const Machine& machine) {
  NodeSlots nodes;
  std::unordered_map<std::uint64_t, std::size_t> known;
  for (const Slot slot : machine.allowed().to_vector()) {
    const auto [found, is_new] = known.try_emplace(machine.node_of(slot), nodes.size());
    if (is_new) nodes.emplace_back();
    nodes[found->second].push_back(slot);
  }
  return nodes;
}

/// How many slots there are where no node gives more than `share`.
std::uint64_t room(const NodeSlots& nodes, std::size_t share) {
  std::uint64_t sum = 0;
  for (const auto& slots : nodes) sum += std::min(slots.size(), share);
  return sum;
}

/// `share` slots of each node, evenly among its own; and those that ranks are fixed on.
SlotSet shared_out(const NodeSlots& nodes, std::size_t share, const std::vector<FixedRank>& fixed) {
  std::vector<Slot> chosen;
  for (const auto& slots : nodes) {
    const std::size_t count = std::min(slots.size(), share);
    for (std::size_t i = 0; i < count; ++i) chosen.push_back(slots[i * slots.size() / count]);
  }
  for (const FixedRank& one : fixed) chosen.push_back(one.slot);
  return SlotSet::of(std::move(chosen));
}

std::optional<Mapping> mapped(const MapTask& task, std::uint64_t seed) {
  const TreeMachine* const tree = task.machine.as_tree();
  if (tree == nullptr) return choicemap_mapper().map(task).mapping;
  return multilevel::multisect_tree(task, *tree, multilevel::light_trials, seed, task.budget);
}

Step spread_step(const MapTask& problem, std::size_t share) {
  const bool is_tree = problem.machine.as_tree() != nullptr;
  const double seconds = is_tree ? division_seconds(problem, multilevel::light_trials)
                                 : choicemap_seconds(problem.graph);
  const double swap_seconds = 0.2 * seconds;
  const std::uint64_t seed = problem.options.seed + share;
  const auto propose = [=](const MapTask& part) -> std::optional<Proposal> {
    const auto machine = part.machine.restricted_to(
        shared_out(slots_of_nodes(part.machine), share, part.options.fixed));
    MapTask spread(part.graph, *machine, part.options, part.budget);
    spread.matrix = part.matrix;
    spread.wire = part.wire;
    auto mapping = mapped(spread, seed);
    if (!mapping) return std::nullopt;
    *mapping = with_constraints(spread, std::move(*mapping));
    *mapping = refine_by_swaps(spread, std::move(*mapping), visits_in(spread, swap_seconds));
    return Proposal{refine_bottlenecks(part, std::move(*mapping)), "kith", "spread over the nodes"};
  };
  return {seconds + swap_seconds, propose, {}};
}

}  // namespace

std::vector<Step> spread_steps(const MapTask& problem) {
  const std::uint64_t capacity = problem.options.capacity;
  const std::uint64_t needed = (problem.graph.ranks() + capacity - 1) / capacity;
  if (bottleneck_seconds(problem) <= 0 || problem.machine.allowed().size() <= needed) return {};
  const NodeSlots nodes = slots_of_nodes(problem.machine);
  std::size_t most = 0;
  for (const auto& slots : nodes) most = std::max(most, slots.size());
  std::size_t share = 1;
  while (room(nodes, share) < needed) ++share;
  std::vector<Step> steps;
  for (; share < most; share *= 2) steps.push_back(spread_step(problem, share));
  return steps;
}

}  // namespace kith
