// The portfolio: Kith's own mapper and published ones that can finish, the best answer.
#include <algorithm>
#include <cmath>

#include "mapping/budget.hpp"
#include "mapping/mappers.hpp"
#include "mapping/portfolio/incumbent.hpp"
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
  const double by_effort = options.effort == Effort::fast       ? 0.01
                           : options.effort == Effort::balanced ? 1
                                                                : 60;
  return std::min(by_effort, options.time_limit.value_or(by_effort));
}

class AutoMapper final : public Mapper {
 public:
  std::string_view name() const override { return "auto"; }
  std::string_view summary() const override {
    return "the best of kith, eagermap and scotch, refined; never worse than identity";
  }
  std::string_view source() const override { return "Kith's own portfolio"; }

  Answer map(const MapProblem& problem) const override {
    Incumbent best(problem);
    Answer own = kith_mapper().map(problem);
    best.offer(std::move(own.mapping), own.made_by, std::move(own.explanation));
    for (const Mapper* other : affordable_mappers(problem)) {
      if (problem.budget != nullptr && problem.budget->exhausted()) break;
      best.offer(refine_by_swaps(problem, other->map(problem).mapping),
                 Algorithm{other, true}.name());
    }
    return best.take();
  }

 private:
  static std::vector<const Mapper*> affordable_mappers(const MapProblem& problem) {
    if (problem.machine.as_tree() == nullptr) return {};
    std::vector<const Mapper*> chosen;
    if (scotch_seconds(problem.graph) <= affordable_seconds(problem.options)) {
      chosen.push_back(&eagermap_mapper());
      chosen.push_back(&scotch_mapper());
    }
    return chosen;
  }
};

}  // namespace

const Mapper& auto_mapper() {
  static const AutoMapper mapper;
  return mapper;
}

}  // namespace kith
