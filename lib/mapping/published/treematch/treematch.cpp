// TreeMatch, as its successor TopoMatch describes it: Jeannot: "Process mapping on any topology
// with TopoMatch", JPDC 170, 2022. Which algorithm maps what is the paper's figure 3: algorithm 1
// on symmetric trees, algorithm 3 where only some slots may be used or the tree is unequal; on
// machines that are no trees algorithms 2 and 4: Scotch with its balanced strategy, on the part of
// the machine that may be used.
//
// Open in the paper and chosen here: before Scotch maps (algorithms 2 and 4), pairs at or below the
// sparse factor x the heaviest are dropped; without a sparse factor that is 0.5, as in the paper,
// where traffic is dense: at least 256 ranks and half of all pairs. Sparse traffic is left whole,
// for dropping pairs saves little there. A factor that is given holds for all algorithms. Scotch is
// called a few times with different seeds and the best mapping kept; the paper calls it once.

#include "mapping/published/treematch/treematch.hpp"

#include "kith/error.hpp"
#include "mapping/budget.hpp"
#include "mapping/element_graph.hpp"
#include "mapping/published/scotch/scotch.hpp"
#include "mapping/registry.hpp"

namespace kith {
namespace {

bool is_dense(const TrafficGraph& graph) {
  constexpr std::uint32_t least_ranks = 256;
  const std::uint64_t ranks = graph.ranks();
  return ranks >= least_ranks && graph.edges() >= ranks * (ranks - 1) / 4;
}

class TreeMatchMapper final : public Mapper {
 public:
  std::string_view name() const override { return "treematch"; }
  std::string_view summary() const override {
    return "groups ranks level by level, the better the fewer choices there are; not on a tree: "
           "Scotch";
  }
  std::string_view source() const override {
    return "Jeannot: Process mapping on any topology with TopoMatch, JPDC 170, 2022, algorithms 1 "
           "to 4";
  }
  std::span<const MapperSetting> settings() const override {
    static constexpr MapperSetting all[] = {
        {"threshold", "30000", "up to so many possible groups are all looked at, 0 to 1000000"},
        {"method", "auto",
         "auto, as the paper chooses; groups (algorithm 1); partition (3); scotch (2 and 4)"},
        {"partitioner", "best", "of the k-way partitioning: scotch, greedy, or the best of both"},
        {"tries", "8", "up to 2048 ranks: how often Scotch maps with another seed, 1 to 1000"},
    };
    return all;
  }
  bool uses(ExtraInput input) const override { return input == ExtraInput::sparse_factor; }

  Answer map(const MapTask& problem) const override {
    const MapperSettings given(*this, problem.options);
    treematch::TreeOptions options;
    options.threshold = given.number("threshold", 0, treematch::max_threshold);
    options.partition.partitioner = static_cast<treematch::Partitioner>(
        given.choice("partitioner", {"best", "scotch", "greedy"}));
    options.partition.seed = problem.options.seed;
    options.partition.budget = problem.budget;
    const auto tries = static_cast<unsigned>(given.number("tries", 1, scotch::max_tries));
    const Method method =
        method_for(problem, given.choice("method", {"auto", "groups", "partition", "scotch"}));

    const auto& factor = problem.options.sparse_factor;
    if (factor || (method == Method::scotch && is_dense(problem.graph))) {
      const TrafficGraph heavy = sparsified(problem.graph, factor.value_or(usual_sparse_factor));
      return map_by(MapTask{heavy, problem.machine, problem.options, problem.budget}, method,
                    options, tries);
    }
    return map_by(problem, method, options, tries);
  }

 private:
  enum class Method { groups, partition, scotch };
  static constexpr double usual_sparse_factor = 0.5;

  /// The paper's figure 3, unless the user insists. `given`: 0 for auto, else a method + 1.
  static Method method_for(const MapTask& problem, std::size_t given) {
    const TreeMachine* tree = problem.machine.as_tree();
    const bool is_whole = tree != nullptr && tree->allowed().size() == tree->slots();
    const bool is_symmetric = is_whole && tree->allowed_arities();
    if (given == 0) {
      if (tree == nullptr) return Method::scotch;
      return is_symmetric ? Method::groups : Method::partition;
    }
    const auto method = static_cast<Method>(given - 1);
    if (method != Method::scotch && tree == nullptr) {
      throw bad_argument("set method", "auto or scotch for a machine that is not a tree",
                         problem.machine.spec());
    }
    if (method == Method::groups && !is_symmetric) {
      throw bad_argument("set method",
                         "auto, partition or scotch for a tree with unequal or unused branches",
                         "'groups'");
    }
    return method;
  }

  static Answer map_by(const MapTask& problem, Method method, const treematch::TreeOptions& options,
                       unsigned tries) {
    if (problem.graph.ranks() == 0) return {Mapping{}, "treematch"};
    if (method == Method::scotch) {
      return {scotch::map_with_scotch(problem, {"balance", tries}), "treematch"};
    }
    const TreeMachine& tree = *problem.machine.as_tree();
    return {method == Method::groups ? treematch::map_by_groups(problem, tree, options)
                                     : treematch::map_by_partition(problem, tree, options),
            "treematch"};
  }
};

}  // namespace

const Mapper& treematch_mapper() {
  static const TreeMatchMapper mapper;
  return mapper;
}

}  // namespace kith
