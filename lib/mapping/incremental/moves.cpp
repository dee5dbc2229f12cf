#include "mapping/incremental/moves.hpp"

namespace kith {

std::uint64_t moved_ranks(const Mapping& from, const Mapping& to) {
  std::uint64_t moved = 0;
  for (Rank r(0); r.value < from.ranks(); ++r) {
    if (from[r] != no_slot && from[r] != to[r]) ++moved;
  }
  return moved;
}

MappingValue value_of(const MapProblem& problem, const Mapping& mapping) {
  const MapOptions& options = problem.options;
  MappingValue value;
  value.total = evaluate_objective(problem.graph, problem.machine, mapping, options.objective);
  if (!options.from) return value;
  value.moved = moved_ranks(*options.from, mapping);
  value.total += Wide{options.move_cost} * value.moved;
  return value;
}

}  // namespace kith
