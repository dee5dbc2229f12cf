#include <algorithm>
#include <functional>

#include "kith/objective.hpp"
#include "objective/distance.hpp"
#include "objective/wide.hpp"

namespace kith {
namespace {

/// The largest number of allowed leaves below one object, by level.
std::vector<std::uint64_t> largest_objects(const TreeMachine& tree) {
  std::vector<std::uint64_t> largest(tree.depth());
  if (tree.is_symmetric() && tree.allowed().size() == tree.slots()) {
    for (unsigned l = 0; l < tree.depth(); ++l) largest[l] = tree.first_leaf(l, 1);
    return largest;
  }
  std::vector<std::uint32_t> above = tree.allowed_leaves();  // the object above each leaf
  for (unsigned l = tree.depth(); l-- > 0;) {
    std::uint64_t run = 0;
    for (std::size_t i = 0; i < above.size(); ++i) {
      above[i] = static_cast<std::uint32_t>(tree.parent(l + 1, above[i]));
      run = i > 0 && above[i] == above[i - 1] ? run + 1 : 1;
      largest[l] = std::max(largest[l], run);
    }
  }
  return largest;
}

/// So many ranks at most can be at this distance or nearer to one rank, itself not counted.
struct Ring {
  std::uint64_t ranks;
  std::uint64_t distance;
};

/// From the nearest ring to the whole machine.
std::vector<Ring> rings(const TreeDistance& distance, std::uint32_t capacity) {
  const TreeMachine& tree = distance.tree();
  // A level may be cheaper than those below it: the bound then takes the cheaper.
  std::vector<std::uint64_t> cheapest{distance.at_level(0)};
  for (unsigned l = 1; l < tree.depth(); ++l) {
    cheapest.push_back(std::min(cheapest.back(), distance.at_level(l)));
  }
  const auto largest = largest_objects(tree);
  std::vector<Ring> out{{capacity - std::uint64_t{1}, 0}};
  for (unsigned l = tree.depth(); l-- > 0;) {
    out.push_back({largest[l] * capacity - 1, cheapest[l]});
  }
  return out;
}

}  // namespace

std::optional<Quantity> objective_lower_bound(const TrafficGraph& graph, const Machine& machine,
                                              Objective objective, std::uint32_t capacity) {
  const TreeMachine* tree = machine.as_tree();
  if (tree == nullptr) return std::nullopt;
  total_weight(graph);  // at most 64 bits: then the products below fit 128
  const auto nearest_first = rings(TreeDistance(*tree, objective), capacity);
  Wide twice = 0;
  std::vector<Weight> heaviest_first;
  for (Rank r(0); r.value < graph.ranks(); ++r) {
    const auto weights = graph.weights(r);
    heaviest_first.assign(weights.begin(), weights.end());
    std::ranges::sort(heaviest_first, std::greater{});
    std::size_t ring = 0;
    for (std::size_t i = 0; i < heaviest_first.size(); ++i) {
      while (ring + 1 < nearest_first.size() && nearest_first[ring].ranks <= i) ++ring;
      twice += Wide{heaviest_first[i]} * nearest_first[ring].distance;
    }
  }
  const std::uint64_t scale = objective == Objective::hop_bytes ? 1 : machine.cost_scale();
  return Quantity{narrowed((twice + 1) / 2, "lower bound"), scale};
}

}  // namespace kith
