// Kith's own mapper: cheap starts, tilings of grids and multilevel division, the best of them
// refined.
#include <optional>
#include <utility>

#include "kith/tree_machine.hpp"
#include "mapping/budget.hpp"
#include "mapping/mappers.hpp"
#include "mapping/multilevel/block_refine.hpp"
#include "mapping/multilevel/machine_bisection.hpp"
#include "mapping/multilevel/tree_multisection.hpp"
#include "mapping/portfolio/incumbent.hpp"
#include "mapping/refine/swap_refine.hpp"
#include "mapping/tiling/offer_tilings.hpp"

namespace kith {
namespace {

unsigned divisions(Effort effort) {
  return effort == Effort::fast ? 1 : effort == Effort::balanced ? 2 : 8;
}

/// The ranks divided with the machine; another seed, another division. Nothing where the budget did
/// not last.
std::optional<Mapping> division(const MapProblem& problem, std::uint64_t seed) {
  const multilevel::Trials trials;
  const TreeMachine* tree = problem.machine.as_tree();
  if (tree == nullptr) return multilevel::bisect_machine(problem, trials, seed, problem.budget);
  auto mapping = multilevel::multisect_tree(problem, *tree, trials, seed, problem.budget);
  if (!mapping) return mapping;
  return multilevel::refine_blocks(problem, *tree, std::move(*mapping), trials, problem.budget);
}

class KithMapper final : public Mapper {
 public:
  std::string_view name() const override { return "kith"; }
  std::string_view summary() const override {
    return "tilings of grids, multilevel division of any graph, refined; never worse than identity";
  }
  std::string_view source() const override { return "Kith's own"; }

  bool uses(ExtraInput input) const override { return input == ExtraInput::coordinates; }

  Answer map(const MapProblem& problem) const override {
    Incumbent best(problem);
    const auto over = [&] { return problem.budget != nullptr && problem.budget->exhausted(); };
    if (problem.graph.edges() == 0 || over()) return best.take();
    tiling::offer_tilings(problem, best);
    for (unsigned i = 0; i < divisions(problem.options.effort); ++i) {
      if (over()) break;
      if (auto divided = division(problem, problem.options.seed + i)) {
        best.offer(std::move(*divided), "kith");
      }
    }
    best.offer(refine_by_swaps(problem, best.mapping()), "kith");
    return best.take();
  }
};

}  // namespace

const Mapper& kith_mapper() {
  static const KithMapper mapper;
  return mapper;
}

}  // namespace kith
