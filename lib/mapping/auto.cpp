// The portfolio: several ways, the best answer.
#include <algorithm>
#include <cmath>
#include <limits>

#include "kith/tree_machine.hpp"
#include "mapping/budget.hpp"
#include "mapping/fill_slots.hpp"
#include "mapping/fixed_ranks.hpp"
#include "mapping/mappers.hpp"
#include "mapping/refine/swap_refine.hpp"

namespace kith {
namespace {

/// Seconds that Scotch takes, roughly, from sizes alone: measured on stencils 0.4 for 16384 ranks,
/// 3 for 32768, 14 for 65536, 150 for 131072; 1.2 for 16384 ranks with 128 thousand edges. A clock
/// would make answers differ from run to run.
double scotch_seconds(const TrafficGraph& graph) {
  return 3 * std::pow(graph.ranks() / 32768.0, 2.5) + 5e-6 * static_cast<double>(graph.edges());
}

double affordable_seconds(const MapOptions& options) {
  const double by_effort = options.effort == Effort::fast       ? 1
                           : options.effort == Effort::balanced ? 10
                                                                : 600;
  return std::min(by_effort, options.time_limit.value_or(by_effort));
}

std::vector<const Mapper*> affordable_mappers(const MapProblem& problem) {
  std::vector<const Mapper*> chosen{&identity_mapper()};
  const TreeMachine* tree = problem.machine.as_tree();
  if (tree == nullptr) return chosen;
  chosen.push_back(&eagermap_mapper());
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
    std::vector<Candidate> candidates;
    std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
    for (const Mapper* mapper : affordable_mappers(problem)) {
      if (!candidates.empty() && out_of_budget(problem)) break;
      Mapping mapping = place_fixed_ranks(problem, mapper->map(problem).mapping);
      mapping = fill_short_slots(problem, std::move(mapping));
      const std::uint64_t objective = value(problem, mapping);
      candidates.push_back({mapper, false, std::move(mapping), objective});
      least = std::min(least, objective);
    }
    const std::size_t unrefined = candidates.size();
    for (std::size_t i = 0; i < unrefined; ++i) {
      if (!worth_refining(problem, candidates[i].objective, least)) continue;
      Mapping mapping = refine_by_swaps(problem, candidates[i].mapping);
      const std::uint64_t objective = value(problem, mapping);
      candidates.push_back({candidates[i].mapper, true, std::move(mapping), objective});
    }
    Candidate& best = *std::ranges::min_element(candidates, {}, &Candidate::objective);
    return {std::move(best.mapping), Algorithm{best.mapper, best.refined}.name()};
  }

 private:
  struct Candidate {
    const Mapper* mapper;
    bool refined;
    Mapping mapping;
    std::uint64_t objective;
  };

  static std::uint64_t value(const MapProblem& problem, const Mapping& mapping) {
    return evaluate_objective(problem.graph, problem.machine, mapping, problem.options.objective);
  }

  static bool out_of_budget(const MapProblem& problem) {
    return problem.budget != nullptr && problem.budget->exhausted();
  }

  /// From far off, refinement takes long and seldom ends in front: large graphs can't afford it.
  static bool worth_refining(const MapProblem& problem, std::uint64_t objective,
                             std::uint64_t least) {
    constexpr std::uint64_t large = 50'000;  // edges
    return problem.graph.edges() < large || objective - least <= least / 5;
  }
};

}  // namespace

const Mapper& auto_mapper() {
  static const AutoMapper mapper;
  return mapper;
}

}  // namespace kith
