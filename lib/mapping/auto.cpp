// The portfolio: several ways, the best answer.
#include <algorithm>

#include "kith/tree_machine.hpp"
#include "mapping/budget.hpp"
#include "mapping/fixed_ranks.hpp"
#include "mapping/mappers.hpp"
#include "mapping/refine/swap_refine.hpp"

namespace kith {
namespace {

/// Seconds that Scotch takes, roughly, from sizes alone: measured 0.15 for 4096 ranks, 2 for 16384,
/// 7 for 32768, 160 for 131072. A clock would make answers differ from run to run.
double scotch_seconds(const TrafficGraph& graph) {
  const double thousands = graph.ranks() / 4096.0;
  return 0.15 * thousands * thousands + 1e-5 * static_cast<double>(graph.edges());
}

double affordable_seconds(const MapOptions& options) {
  const double by_effort = options.effort == Effort::fast       ? 1
                           : options.effort == Effort::balanced ? 10
                                                                : 600;
  return std::min(by_effort, options.time_limit.value_or(by_effort));
}

std::vector<const Mapper*> candidates(const MapProblem& problem) {
  std::vector<const Mapper*> chosen{&identity_mapper()};
  const TreeMachine* tree = problem.machine.as_tree();
  if (tree == nullptr) return chosen;
  if (tree->allowed_arities()) chosen.push_back(&eagermap_mapper());
  if (scotch_seconds(problem.graph) <= affordable_seconds(problem.options)) {
    chosen.push_back(&scotch_mapper());
  }
  return chosen;
}

class AutoMapper final : public Mapper {
 public:
  std::string_view name() const override { return "auto"; }
  std::string_view summary() const override {
    return "the best of identity, eagermap and scotch, refined; never worse than identity";
  }
  std::string_view source() const override { return "Kith's own portfolio"; }

  Answer map(const MapProblem& problem) const override {
    const auto value = [&](const Mapping& mapping) {
      return evaluate_objective(problem.graph, problem.machine, mapping, problem.options.objective);
    };
    Answer best;
    std::uint64_t least = 0;
    const auto consider = [&](Mapping mapping, std::string made_by) {
      const std::uint64_t objective = value(mapping);
      if (!best.made_by.empty() && objective >= least) return;
      least = objective;
      best = {std::move(mapping), std::move(made_by)};
    };
    for (const Mapper* mapper : candidates(problem)) {
      if (!best.made_by.empty() && problem.budget != nullptr && problem.budget->exhausted()) break;
      Mapping mapping = place_fixed_ranks(problem, mapper->map(problem).mapping);
      consider(mapping, std::string(mapper->name()));
      consider(refine_by_swaps(problem, std::move(mapping)), Algorithm{mapper, true}.name());
    }
    return best;
  }
};

}  // namespace

const Mapper& auto_mapper() {
  static const AutoMapper mapper;
  return mapper;
}

}  // namespace kith
