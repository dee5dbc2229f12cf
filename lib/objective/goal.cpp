#include "kith/detail/goal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "kith/error.hpp"
#include "objective/link_load.hpp"
#include "objective/network_time.hpp"
#include "objective/wide.hpp"

namespace kith {
namespace {

std::optional<Objective> objective_of(Criterion criterion) {
  switch (criterion) {
    case Criterion::hop_bytes:
      return Objective::hop_bytes;
    case Criterion::sum_com:
      return Objective::sum_com;
    case Criterion::max_com:
    case Criterion::link_load:
    case Criterion::network_time:
      break;
  }
  return std::nullopt;
}

Error unknown_routes(const Machine& machine) {
  return bad_argument("objective",
                      "a machine whose links are known for link-load: a tree or a grid",
                      machine.spec());
}

std::uint64_t value_of(Criterion criterion, const TrafficMatrix& matrix, const TrafficGraph& graph,
                       const Machine& machine, const Mapping& mapping, const TrafficMatrix& wire) {
  switch (criterion) {
    case Criterion::hop_bytes:
      return evaluate_objective(graph, machine, mapping, Objective::hop_bytes);
    case Criterion::sum_com:
      return evaluate_objective(graph, machine, mapping, Objective::sum_com);
    case Criterion::max_com:
      return evaluate_max_com(graph, machine, mapping);
    case Criterion::network_time:
      return network_picoseconds(wire, machine, mapping);
    case Criterion::link_load:
      break;
  }
  const auto load = max_link_load(matrix, machine, mapping);
  if (!load) throw unknown_routes(machine);
  return *load;
}

}  // namespace

std::string_view to_string(Criterion criterion) {
  switch (criterion) {
    case Criterion::hop_bytes:
      return "hop-bytes";
    case Criterion::sum_com:
      return "sum-com";
    case Criterion::max_com:
      return "max-com";
    case Criterion::network_time:
      return "network-time";
    case Criterion::link_load:
      break;
  }
  return "link-load";
}

Criterion criterion_of(Objective objective) {
  return objective == Objective::hop_bytes ? Criterion::hop_bytes : Criterion::sum_com;
}

bool Goal::has(Criterion criterion) const {
  return std::ranges::find(terms, criterion, &Term::criterion) != terms.end();
}

std::string Goal::name() const {
  if (!is_mix()) return std::string(to_string(terms.front().criterion));
  std::string name;
  for (const Term& term : terms) {
    name += fmt::format("{}{}:{}", name.empty() ? "" : ",", to_string(term.criterion), term.weight);
  }
  return name;
}

std::optional<Objective> Goal::as_objective() const {
  return is_mix() ? std::nullopt : objective_of(terms.front().criterion);
}

Objective Goal::nearest_objective(const Machine& machine) const {
  const Criterion heaviest = std::ranges::max_element(terms, {}, &Term::weight)->criterion;
  if (const auto itself = objective_of(heaviest)) return *itself;
  if (heaviest == Criterion::network_time) return default_objective(machine);
  return heaviest == Criterion::link_load ? Objective::hop_bytes : Objective::sum_com;
}

Goal default_goal(const Machine& machine) {
  if (machine.nodes() > 1 && !machine.node_names().empty()) return {{{Criterion::network_time}}};
  return {{{criterion_of(default_objective(machine))}}};
}

Goal goal_of_job(const Machine& machine) {
  // Costs that the user gives count as they are; those of hosts with names were measured.
  const bool is_given = machine.has_costs() && machine.node_names().empty();
  if (machine.nodes() > 1 && !is_given) return {{{Criterion::network_time}}};
  return {{{criterion_of(default_objective(machine))}}};
}

void check_goal(const Goal& goal, const Machine& machine) {
  if (goal.has(Criterion::link_load) && !count_links(machine)) throw unknown_routes(machine);
}

Quantity measured(Criterion criterion, const Metrics& metrics) {
  switch (criterion) {
    case Criterion::hop_bytes:
      return {metrics.hop_bytes, 1};
    case Criterion::sum_com:
      return metrics.sum_com;
    case Criterion::max_com:
      return metrics.max_com;
    case Criterion::network_time:
      return metrics.network_time;
    case Criterion::link_load:
      break;
  }
  return {metrics.max_link_load.value(), 1};
}

std::vector<std::uint64_t> measure(const Goal& goal, const TrafficMatrix& matrix,
                                   const TrafficGraph& graph, const Machine& machine,
                                   const Mapping& mapping, const TrafficMatrix* wire) {
  std::vector<std::uint64_t> values;
  for (const Goal::Term& term : goal.terms) {
    values.push_back(value_of(term.criterion, matrix, graph, machine, mapping,
                              wire == nullptr ? matrix : *wire));
  }
  return values;
}

std::uint64_t combined(const Goal& goal, std::span<const std::uint64_t> values,
                       std::span<const std::uint64_t> identity) {
  if (!goal.is_mix()) return values.front();
  double weights = 0;
  for (const Goal::Term& term : goal.terms) weights += term.weight;
  Wide sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto share = static_cast<std::uint64_t>(
        std::llround(std::ldexp(goal.terms[i].weight / weights, mix_bits)));
    sum += Wide{values[i]} * share / std::max<std::uint64_t>(identity[i], 1);
  }
  return static_cast<std::uint64_t>(std::min<Wide>(sum, std::numeric_limits<std::uint64_t>::max()));
}

std::uint64_t goal_units(const Goal& goal, const Metrics& metrics, const Metrics& identity) {
  std::vector<std::uint64_t> values;
  std::vector<std::uint64_t> of_identity;
  for (const Goal::Term& term : goal.terms) {
    values.push_back(measured(term.criterion, metrics).units);
    of_identity.push_back(measured(term.criterion, identity).units);
  }
  return combined(goal, values, of_identity);
}

double goal_value(const Goal& goal, const Metrics& metrics, const Metrics& identity) {
  if (!goal.is_mix()) return measured(goal.terms.front().criterion, metrics).value();
  return std::ldexp(static_cast<double>(goal_units(goal, metrics, identity)),
                    -static_cast<int>(mix_bits));
}

}  // namespace kith
