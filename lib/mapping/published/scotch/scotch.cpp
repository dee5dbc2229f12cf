// Scotch's recursive bipartitioning of traffic and machine: Pellegrini, Roman: "Scotch: A Software
// Package for Static Mapping by Dual Recursive Bipartitioning", HPCN 1996; by the library.
#include "mapping/mappers.hpp"
#include "mapping/published/scotch/map_with_scotch.hpp"
#include "mapping/settings.hpp"
#include "mapping/sparsify.hpp"

namespace kith {
namespace {

class ScotchMapper final : public Mapper {
 public:
  std::string_view name() const override { return "scotch"; }
  std::string_view summary() const override {
    return "recursive bipartitioning of traffic and machine, by the Scotch library";
  }
  std::string_view source() const override {
    return "Pellegrini, Roman: Scotch, HPCN 1996; library version 7";
  }
  std::span<const MapperSetting> settings() const override {
    static constexpr MapperSetting all[] = {
        {"strategy", "usual", scotch::strategy_values},
        {"tries", "1", "up to 2048 ranks: the best of so many seeds, 1 to 1000"},
    };
    return all;
  }
  bool uses(ExtraInput input) const override { return input == ExtraInput::sparse_factor; }

  Answer map(const MapProblem& problem) const override {
    const MapperSettings given(*this, problem.options);
    const scotch::Search search{given.text("strategy"),
                                static_cast<unsigned>(given.number("tries", 1, scotch::max_tries))};
    if (!problem.options.sparse_factor) return {scotch::map_with_scotch(problem, search), "scotch"};
    const TrafficGraph heavy = sparsified(problem.graph, *problem.options.sparse_factor);
    const MapProblem sparse{heavy, problem.machine, problem.options, problem.budget};
    return {scotch::map_with_scotch(sparse, search), "scotch"};
  }
};

}  // namespace

const Mapper& scotch_mapper() {
  static const ScotchMapper mapper;
  return mapper;
}

}  // namespace kith
