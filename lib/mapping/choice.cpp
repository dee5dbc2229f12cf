#include "kith/detail/choice.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "mapping/node_sets.hpp"
#include "mapping/value.hpp"

namespace kith {
namespace {

constexpr std::size_t most_sets = 4;

SlotSet slots_of(const Machine& machine, const std::vector<FreeNode>& free, const NodeSet& set) {
  std::vector<std::uint32_t> nodes;
  for (const std::uint32_t i : set) nodes.push_back(free[i].node);
  return slots_of_nodes(machine, nodes);
}

/// Where fixed ranks sit.
NodeSet given_nodes(const MapProblem& problem, const std::vector<FreeNode>& free) {
  NodeSet given;
  for (const FixedRank& fixed : problem.options.fixed) {
    const std::uint64_t node = problem.machine.node_of(fixed.slot);
    const auto at = std::ranges::lower_bound(free, node, {}, &FreeNode::node);
    if (at != free.end() && at->node == node) {
      given.push_back(static_cast<std::uint32_t>(at - free.begin()));
    }
  }
  std::ranges::sort(given);
  const auto repeated = std::unique(given.begin(), given.end());
  given.erase(repeated, given.end());
  return given;
}

/// The nodes that the launcher would fill by itself, and those of fixed ranks.
NodeSet first_nodes(const std::vector<FreeNode>& free, std::uint64_t slots, NodeSet set) {
  std::uint64_t room = 0;
  for (const std::uint32_t i : set) room += free[i].slots;
  const std::size_t given = set.size();
  for (std::uint32_t i = 0; i < free.size() && room < slots; ++i) {
    if (std::binary_search(set.begin(), set.begin() + static_cast<std::ptrdiff_t>(given), i)) {
      continue;
    }
    set.push_back(i);
    room += free[i].slots;
  }
  std::ranges::sort(set);
  return set;
}

std::vector<ChosenNode> nodes_in_use(const Machine& machine, const Mapping& mapping) {
  std::map<std::uint64_t, std::uint32_t> ranks_on;
  for (const Slot slot : mapping.slot_of) ++ranks_on[machine.node_of(slot)];
  std::vector<ChosenNode> nodes;
  for (const auto& [node, ranks] : ranks_on) {
    nodes.push_back({static_cast<std::uint32_t>(node), ranks});
  }
  return nodes;
}

}  // namespace

ChoiceResult map_to_chosen_nodes(const Algorithm& algorithm, const MapProblem& problem) {
  const MapOptions& options = problem.options;
  const std::uint32_t ranks = problem.graph.ranks();
  identity_mapping(ranks, problem.machine, options.capacity);  // do they fit?
  const auto free = free_nodes(problem.machine, "choose", bad_argument);
  const std::uint64_t slots =
      std::max<std::uint64_t>(1, (ranks + std::uint64_t{options.capacity} - 1) / options.capacity);
  const NodeSet given = given_nodes(problem, free);
  auto sets =
      close_node_sets(problem.machine, options.objective, free, slots, given, most_sets - 1);
  NodeSet first = first_nodes(free, slots, given);
  const bool is_new = std::ranges::find(sets, first) == sets.end();
  if (is_new && first.size() == sets.front().size()) sets.push_back(std::move(first));

  MapOptions share = options;
  if (share.time_limit) *share.time_limit /= static_cast<double>(sets.size());
  if (share.work) *share.work /= sets.size();
  ChoiceResult best;
  std::optional<MappingValue> least;
  const MappingValuer valuer(problem);
  double seconds = 0;
  Stopped stopped = Stopped::done;
  for (const NodeSet& set : sets) {
    const auto part = problem.machine.restricted_to(slots_of(problem.machine, free, set));
    MapResult result = map_ranks(algorithm, {problem.graph, *part, share, problem.matrix,
                                             problem.wire, "the present order on these nodes"});
    seconds += result.seconds;
    if (result.stopped != Stopped::done) stopped = result.stopped;
    const MappingValue value = valuer(result.mapping);
    if (least && value >= *least) continue;
    least = value;
    best.result = std::move(result);
  }
  best.result.seconds = seconds;
  best.result.stopped = stopped;
  best.result.is_optimal = false;  // on these nodes only
  best.nodes = nodes_in_use(problem.machine, best.result.mapping);
  best.tried = sets.size();
  return best;
}

}  // namespace kith
