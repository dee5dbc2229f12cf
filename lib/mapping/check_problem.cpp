#include "mapping/check_problem.hpp"

#include <string>

#include "kith/error.hpp"
#include "mapping/fixed_ranks.hpp"

namespace kith {
namespace {

/// Of what describes each rank: one item per rank, or none.
void require_one_per_rank(std::uint64_t found, std::uint32_t ranks, std::string_view option,
                          std::string_view what) {
  if (found == 0 || found == ranks) return;
  throw bad_input(option, std::string(what) + " for each of " + std::to_string(ranks) + " ranks",
                  std::to_string(found));
}

void check_rank_facts(const MapProblem& problem) {
  const std::uint32_t ranks = problem.graph.ranks();
  require_one_per_rank(problem.options.loads.size(), ranks, "--loads", "a load");
  if (problem.options.coordinates) {
    require_one_per_rank(problem.options.coordinates->ranks(), ranks, "--coordinates", "a point");
  }
  if (problem.options.from && problem.options.from->ranks() != ranks) {
    throw bad_input("--from", "a place for each of " + std::to_string(ranks) + " ranks",
                    std::to_string(problem.options.from->ranks()));
  }
}

}  // namespace

void check_problem(const MapProblem& problem) {
  identity_mapping(problem.graph.ranks(), problem.machine, problem.options.capacity);  // room?
  total_weight(problem.graph);
  if (problem.options.goal) check_goal(*problem.options.goal, problem.machine);
  check_fixed_ranks(problem);
  check_rank_facts(problem);
}

}  // namespace kith
