#include "mapping/value.hpp"

#include <algorithm>

#include "mapping/budget.hpp"

namespace kith {

std::uint64_t moved_ranks(const Mapping& from, const Mapping& to) {
  std::uint64_t moved = 0;
  for (Rank r(0); r.value < from.ranks(); ++r) {
    if (from[r] != no_slot && from[r] != to[r]) ++moved;
  }
  return moved;
}

Goal goal_of(const MapOptions& options) {
  return options.goal.value_or(Goal{{{criterion_of(options.objective)}}});
}

MappingValuer::MappingValuer(const MapTask& problem) : problem_(problem) {
  const auto& goal = problem.options.goal;
  if (!goal) return;
  const bool needs_links = goal->has(Criterion::link_load) || goal->has(Criterion::network_time);
  if (needs_links && problem.matrix == nullptr) {
    own_matrix_ = in_both_directions(problem.graph);
  }
  if (goal->is_mix() || goal->has(Criterion::network_time)) {
    identity_ = measures(
        *goal, identity_mapping(problem.graph.ranks(), problem.machine, problem.options.capacity));
  }
}

std::vector<std::uint64_t> MappingValuer::measures(const Goal& goal, const Mapping& mapping) const {
  const TrafficMatrix& matrix = problem_.matrix != nullptr ? *problem_.matrix : own_matrix_;
  return measure(goal, matrix, problem_.graph, problem_.machine, mapping, problem_.wire);
}

/// Rounds a network-time up to the next step; identity's own time is one. Without steps, a gain of
/// a millionth on the busiest link would decide, whatever all other links pay for it.
Wide MappingValuer::in_steps(Wide total) const {
  const auto& goal = problem_.options.goal;
  if (!goal || !goal->is_only(Criterion::network_time)) return total;
  constexpr std::uint64_t steps = 1024;
  const std::uint64_t of_identity = identity_.front();
  const Wide step = std::max<std::uint64_t>(1, of_identity / steps);
  if (total <= of_identity) return of_identity - (of_identity - total) / step * step;
  return of_identity + (total - of_identity + step - 1) / step * step;
}

MappingValue MappingValuer::operator()(const Mapping& mapping) const {
  const auto& goal = problem_.options.goal;
  const std::uint64_t nearest =
      evaluate_objective(problem_.graph, problem_.machine, mapping, problem_.options.objective);
  MappingValue value{nearest};
  if (goal) value = {combined(*goal, measures(*goal, mapping), identity_), 0, nearest};
  value.exact = value.total;
  value.total = in_steps(value.total);
  if (const auto& from = problem_.options.from) {
    value.moved = moved_ranks(*from, mapping);
    value.total += Wide{problem_.options.move_cost} * value.moved;
    value.exact += Wide{problem_.options.move_cost} * value.moved;
  }
  return value;
}

}  // namespace kith
