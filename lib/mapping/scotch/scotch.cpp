// Scotch's recursive bipartitioning (Pellegrini, Roman: "Scotch: A Software Package for Static
// Mapping by Dual Recursive Bipartitioning", HPCN 1996) onto the tree, made exact: at most
// `capacity` ranks on a slot.
#include <optional>

#include "kith/error.hpp"
#include "kith/tree_machine.hpp"
#include "mapping/mappers.hpp"
#include "mapping/place_surplus.hpp"
#include "mapping/scotch/library.hpp"
#include "mapping/scotch/tree_target.hpp"

namespace kith {
namespace {

using scotch::Number;

/// The ranks, and idle vertices that fill up the places, so that an exact balance puts the same
/// number of vertices on each.
scotch::GraphArrays vertex_arrays(const TrafficGraph& graph, std::uint64_t vertices) {
  const unsigned shift = scotch::weight_shift(total_weight(graph));
  scotch::GraphArrays arrays;
  arrays.offsets.assign(graph.offsets().begin(), graph.offsets().end());
  arrays.offsets.resize(vertices + 1, arrays.offsets.back());
  arrays.neighbours.reserve(graph.all_neighbours().size());
  arrays.weights.reserve(graph.all_weights().size());
  for (const Rank r : graph.all_neighbours()) arrays.neighbours.push_back(r.value);
  for (const Weight w : graph.all_weights()) arrays.weights.push_back(scotch::shifted(w, shift));
  return arrays;
}

void build_architecture(const ScotchTarget& target, SCOTCH_Arch* whole, SCOTCH_Arch* used) {
  static_assert(sizeof(std::int64_t) == sizeof(Number));
  const auto* arities = reinterpret_cast<const Number*>(target.arities.data());
  const auto* links = reinterpret_cast<const Number*>(target.links.data());
  const auto levels = static_cast<Number>(target.arities.size());
  if (target.leaves.empty()) {
    scotch::check(SCOTCH_archTleaf(used, levels, arities, links), "building the tree");
    return;
  }
  scotch::check(SCOTCH_archTleaf(whole, levels, arities, links), "building the tree");
  scotch::check(SCOTCH_archSub(used, whole, static_cast<Number>(target.leaves.size()),
                               reinterpret_cast<const Number*>(target.leaves.data())),
                "choosing the slots");
}

/// The place of each vertex, 0 .. places-1.
std::vector<Number> run_scotch(const scotch::GraphArrays& arrays, const ScotchTarget& target,
                               const std::string& strategy_text, std::uint64_t seed) {
  scotch::Architecture whole;
  scotch::Architecture used;
  build_architecture(target, whole.get(), used.get());
  scotch::Strategy strategy;
  scotch::check(SCOTCH_stratGraphMap(strategy.get(), strategy_text.c_str()),
                "reading the strategy");
  return scotch::map_graph(arrays, used.get(), strategy.get(), seed);
}

class ScotchMapper final : public Mapper {
 public:
  std::string_view name() const override { return "scotch"; }
  std::string_view summary() const override {
    return "recursive bipartitioning of traffic and machine, by the Scotch library";
  }
  std::string_view source() const override {
    return "Pellegrini, Roman: Scotch, HPCN 1996; library version 7";
  }

  Answer map(const MapProblem& problem) const override {
    const TreeMachine* tree = problem.machine.as_tree();
    if (tree == nullptr) {
      throw bad_input("--algorithm", "for scotch a machine that is a tree", problem.machine.spec());
    }
    const std::uint32_t ranks = problem.graph.ranks();
    Mapping mapping;
    if (ranks == 0) return {mapping, "scotch"};
    const TreeDistance distance(*tree, problem.options.objective);
    const ScotchTarget target = scotch_target(distance, ranks);
    const std::uint64_t places = target.slot_of.size();
    if (places == 1) return {Mapping{std::vector<Slot>(ranks, target.slot_of[0])}, "scotch"};
    const std::uint64_t on_each = (ranks + places - 1) / places;
    const scotch::GraphArrays arrays = vertex_arrays(problem.graph, on_each * places);

    // Neither tolerance is the better one on all graphs; small graphs can afford both.
    std::vector<const char*> tolerances{"0.01"};
    constexpr std::uint32_t small = 8192;
    if (ranks <= small) tolerances.push_back("0.03");
    std::optional<std::uint64_t> least;
    for (const char* tolerance : tolerances) {
      const auto place =
          run_scotch(arrays, target, scotch::bipartition_strategy(tolerance), problem.options.seed);
      Mapping attempt;
      for (std::uint32_t r = 0; r < ranks; ++r) {
        attempt.slot_of.push_back(target.slot_of.at(static_cast<std::size_t>(place[r])));
      }
      attempt = place_surplus(problem, std::move(attempt), target.slot_of);
      const std::uint64_t objective =
          evaluate_objective(problem.graph, problem.machine, attempt, problem.options.objective);
      if (least && objective >= *least) continue;
      least = objective;
      mapping = std::move(attempt);
    }
    return {std::move(mapping), "scotch"};
  }
};

}  // namespace

const Mapper& scotch_mapper() {
  static const ScotchMapper mapper;
  return mapper;
}

}  // namespace kith
