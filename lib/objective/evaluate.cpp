#include <algorithm>

#include "kith/error.hpp"
#include "kith/objective.hpp"
#include "objective/distance.hpp"
#include "objective/link_load.hpp"
#include "objective/network_time.hpp"
#include "objective/wide.hpp"

namespace kith {
namespace {

/// Calls `visit(a, b, weight)` once for each unordered pair with traffic.
template <class Visit>
void for_each_pair(const TrafficGraph& graph, Visit&& visit) {
  for (Rank a(0); a.value < graph.ranks(); ++a) {
    const auto neighbours = graph.neighbours(a);
    const auto weights = graph.weights(a);
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      if (a < neighbours[i]) visit(a, neighbours[i], weights[i]);
    }
  }
}

void require_slots(const Mapping& mapping, const Machine& machine) {
  for (const Slot slot : mapping.slot_of) {
    if (slot.value < machine.slots()) continue;
    throw bad_input("mapping", "slots below " + std::to_string(machine.slots()),
                    std::to_string(slot.value));
  }
}

void require_same_ranks(std::uint64_t expected, std::uint64_t found) {
  if (expected == found) return;
  throw bad_input("mapping", std::to_string(expected) + " ranks, as the traffic has",
                  std::to_string(found));
}

/// The sums before they are narrowed to 64 bits.
struct Sums {
  Wide hop_bytes = 0;
  Wide sum_com = 0;
  Wide max_com = 0;
  double quality = 0;
  std::vector<Wide> level_bytes;

  /// Traffic between slots so far apart.
  void add(Wide bytes, std::uint64_t hops, std::uint64_t cost) {
    hop_bytes += bytes * hops;
    sum_com += bytes * cost;
  }
};

double scaled_quotient(Wide bytes, std::uint64_t cost, std::uint64_t scale) {
  return bytes == 0 ? 0 : to_double(bytes) * static_cast<double>(scale) / static_cast<double>(cost);
}

Sums sum_on_tree(const TrafficGraph& graph, const TreeMachine& tree, const Mapping& mapping) {
  const unsigned depth = tree.depth();
  Sums sums;
  std::vector<Wide> bytes(depth + 1);
  std::vector<Weight> heaviest(depth + 1);
  for_each_pair(graph, [&](Rank a, Rank b, Weight weight) {
    const unsigned level = tree.meeting(mapping[a], mapping[b]);
    bytes[level] += weight;
    heaviest[level] = std::max(heaviest[level], weight);
  });
  for (unsigned level = 0; level <= depth; ++level) {
    const std::uint64_t cost = tree.level_cost()[level];
    sums.add(bytes[level], tree.level_hops()[level], cost);
    sums.max_com = std::max(sums.max_com, Wide{heaviest[level]} * cost);
    const std::uint64_t paid = level == depth ? tree.lowest_cost() : cost;
    sums.quality += scaled_quotient(bytes[level], paid, tree.cost_scale());
  }
  bytes.pop_back();
  sums.level_bytes = std::move(bytes);
  return sums;
}

Sums sum_anywhere(const TrafficGraph& graph, const Machine& machine, const Mapping& mapping) {
  Sums sums;
  for_each_pair(graph, [&](Rank a, Rank b, Weight weight) {
    const Slot at_a = mapping[a];
    const Slot at_b = mapping[b];
    const std::uint64_t cost = machine.cost(at_a, at_b);
    sums.add(weight, machine.hops(at_a, at_b), cost);
    sums.max_com = std::max(sums.max_com, Wide{weight} * cost);
    const std::uint64_t paid = at_a == at_b ? machine.lowest_cost() : cost;
    sums.quality += scaled_quotient(weight, paid, machine.cost_scale());
  });
  return sums;
}

}  // namespace

std::uint64_t narrowed(Wide value, std::string_view what) {
  if (value > std::numeric_limits<std::uint64_t>::max()) {
    throw bad_input(what, "a sum of at most 64 bits", "a larger one");
  }
  return static_cast<std::uint64_t>(value);
}

Weight total_weight(const TrafficGraph& graph) {
  Wide twice = 0;
  for (const Weight weight : graph.all_weights()) twice += weight;
  return narrowed(twice / 2, "traffic");
}

std::string_view to_string(Objective objective) {
  return objective == Objective::hop_bytes ? "hop-bytes" : "sum-com";
}

Objective default_objective(const Machine& machine) {
  return machine.has_costs() ? Objective::sum_com : Objective::hop_bytes;
}

Metrics evaluate(const TrafficMatrix& matrix, const TrafficGraph& graph, const Machine& machine,
                 const Mapping& mapping, const TrafficMatrix* wire) {
  require_same_ranks(graph.ranks(), mapping.ranks());
  require_same_ranks(graph.ranks(), matrix.ranks());
  if (wire != nullptr) require_same_ranks(graph.ranks(), wire->ranks());
  require_slots(mapping, machine);
  const Weight weight = total_weight(graph);
  const TreeMachine* tree = machine.as_tree();
  const Sums sums =
      tree != nullptr ? sum_on_tree(graph, *tree, mapping) : sum_anywhere(graph, machine, mapping);
  Metrics metrics;
  metrics.hop_bytes = narrowed(sums.hop_bytes, "hop_bytes");
  if (weight > 0) metrics.hops_per_byte = to_double(sums.hop_bytes) / to_double(weight);
  metrics.sum_com = {narrowed(sums.sum_com, "sum_com"), machine.cost_scale()};
  metrics.max_com = {narrowed(sums.max_com, "max_com"), machine.cost_scale()};
  metrics.mapping_quality = sums.quality;
  for (const Wide bytes : sums.level_bytes) {
    metrics.level_bytes.push_back(narrowed(bytes, "level_bytes"));
  }
  const BusiestLinks busiest = busiest_links(matrix, machine, mapping);
  metrics.max_link_load = max_link_load(busiest, machine);
  const BusiestLinks on_wire = wire == nullptr ? busiest : busiest_links(*wire, machine, mapping);
  metrics.network_time = {network_picoseconds(on_wire, machine), picoseconds_per_second};
  if (machine.nodes() > 1) metrics.busiest_host = narrowed(on_wire.of_nodes, "busiest_host");
  metrics.average_link_load = average_link_load(graph, machine, mapping, metrics.hop_bytes);
  metrics.numa_bytes = numa_bytes(graph, machine, mapping);
  metrics.reduction_value = reduction_value(graph, machine, mapping);
  return metrics;
}

std::uint64_t evaluate_objective(const TrafficGraph& graph, const Machine& machine,
                                 const Mapping& mapping, Objective objective) {
  require_same_ranks(graph.ranks(), mapping.ranks());
  require_slots(mapping, machine);
  total_weight(graph);  // at most 64 bits: then the products below fit 128
  Wide sum = 0;
  with_distance(machine, objective, [&](const auto& distance) {
    for_each_pair(graph, [&](Rank a, Rank b, Weight weight) {
      sum += Wide{weight} * distance(mapping[a], mapping[b]);
    });
  });
  return narrowed(sum, to_string(objective));
}

std::uint64_t evaluate_max_com(const TrafficGraph& graph, const Machine& machine,
                               const Mapping& mapping) {
  require_same_ranks(graph.ranks(), mapping.ranks());
  require_slots(mapping, machine);
  Wide most = 0;
  with_distance(machine, Objective::sum_com, [&](const auto& distance) {
    for_each_pair(graph, [&](Rank a, Rank b, Weight weight) {
      most = std::max(most, Wide{weight} * distance(mapping[a], mapping[b]));
    });
  });
  return narrowed(most, "max_com");
}

}  // namespace kith
