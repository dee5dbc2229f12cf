#include "mapping/published/scotch/tree_target.hpp"

#include <algorithm>
#include <numeric>

#include "kith/error.hpp"
#include "machine/model/enclosing_tree.hpp"

namespace kith {
namespace {

std::vector<std::uint32_t> places_for(const TreeMachine& tree, std::uint32_t ranks) {
  if (tree.allowed().size() / 2 <= ranks) return tree.allowed_leaves();
  const auto leaves = tree.allowed_leaves(ranks);
  const std::uint64_t last_object = tree.parent(tree.depth(), leaves.back());
  const std::uint64_t end = tree.first_leaf(tree.depth() - 1, last_object + 1);
  auto places = leaves;
  for (std::uint64_t leaf = leaves.back() + std::uint64_t{1}; leaf < end; ++leaf) {
    if (places.size() / 2 > ranks) break;
    if (tree.allowed().contains(tree.slot_of_leaf(leaf))) {
      places.push_back(static_cast<std::uint32_t>(leaf));
    }
  }
  return places;
}

/// Distances by level, top down, made to fall towards the leaves and to fit 20 bits.
std::vector<std::int64_t> level_distances(const TreeDistance& distance) {
  const unsigned depth = distance.tree().depth();
  std::vector<std::uint64_t> exact(depth);
  std::uint64_t divisor = 0;
  for (unsigned l = depth; l-- > 0;) {
    exact[l] = distance.at_level(l);
    if (l + 1 < depth) exact[l] = std::max(exact[l], exact[l + 1]);
    divisor = std::gcd(divisor, exact[l]);
  }
  constexpr std::uint64_t largest = std::uint64_t{1} << 20;
  divisor = std::max<std::uint64_t>(divisor, 1);
  if (exact[0] / divisor > largest) divisor = exact[0] / largest + 1;
  std::vector<std::int64_t> distances;
  for (const std::uint64_t value : exact) {
    distances.push_back(static_cast<std::int64_t>((value + divisor / 2) / divisor));
  }
  return distances;
}

}  // namespace

ScotchTarget scotch_target(const TreeDistance& distance, std::uint32_t ranks) {
  const TreeMachine& tree = distance.tree();
  const auto leaves = places_for(tree, ranks);
  ScotchTarget target;
  for (const std::uint32_t leaf : leaves) target.slot_of.push_back(tree.slot_of_leaf(leaf));
  auto arities = tree.arities_of(leaves);
  if (!arities) {
    const auto enclosing = enclosing_tree(tree, leaves);
    if (!enclosing) {
      throw bad_input("--algorithm", "for scotch a machine that is not so lopsided",
                      "one whose enclosing symmetric tree has more than 2^63 leaves");
    }
    arities = enclosing->arities;
    target.leaves.assign(enclosing->places.begin(), enclosing->places.end());
  }

  const auto distances = level_distances(distance);
  for (unsigned l = 0; l < tree.depth(); ++l) {
    if ((*arities)[l] == 1) continue;
    target.arities.push_back((*arities)[l]);
    target.links.push_back(distances[l]);
  }
  // Scotch adds up what the levels add; the last level's distance is its own.
  for (std::size_t l = 0; l + 1 < target.links.size(); ++l) target.links[l] -= target.links[l + 1];
  return target;
}

}  // namespace kith
