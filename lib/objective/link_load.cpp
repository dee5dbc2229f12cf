#include "objective/link_load.hpp"

#include <algorithm>
#include <numeric>

#include "objective/wide.hpp"

namespace kith {
namespace {

/// The objects of one level that hold ranks, numbered from left to right.
struct UsedObjects {
  std::vector<std::uint32_t> of_rank;  ///< index of the object above each rank
  std::uint32_t count = 0;
};

UsedObjects used_objects(const std::vector<std::uint32_t>& ranks_by_leaf,
                         const std::vector<std::uint32_t>& object_of_rank) {
  UsedObjects used;
  used.of_rank.resize(object_of_rank.size());
  for (std::size_t i = 0; i < ranks_by_leaf.size(); ++i) {
    const std::uint32_t object = object_of_rank[ranks_by_leaf[i]];
    if (i == 0 || object != object_of_rank[ranks_by_leaf[i - 1]]) ++used.count;
    used.of_rank[ranks_by_leaf[i]] = used.count - 1;
  }
  return used;
}

Wide busiest_link(const TrafficMatrix& matrix, const UsedObjects& used) {
  std::vector<Wide> up(used.count);
  std::vector<Wide> down(used.count);
  for (Rank source(0); source.value < matrix.ranks(); ++source) {
    const auto destinations = matrix.destinations(source);
    const auto weights = matrix.weights(source);
    const std::uint32_t from = used.of_rank[source.value];
    for (std::size_t i = 0; i < destinations.size(); ++i) {
      const std::uint32_t to = used.of_rank[destinations[i].value];
      if (from == to) continue;
      up[from] += weights[i];
      down[to] += weights[i];
    }
  }
  return std::max(*std::ranges::max_element(up), *std::ranges::max_element(down));
}

}  // namespace

std::uint64_t max_tree_link_load(const TrafficMatrix& matrix, const TreeMachine& tree,
                                 const Mapping& mapping) {
  if (mapping.ranks() == 0) return 0;
  std::vector<std::uint32_t> object_of_rank(mapping.ranks());
  for (Rank r(0); r.value < mapping.ranks(); ++r) {
    object_of_rank[r.value] = tree.leaf_of_slot(mapping[r]);
  }
  // Left to right on the leaves is left to right on every level.
  std::vector<std::uint32_t> ranks_by_leaf(mapping.ranks());
  std::iota(ranks_by_leaf.begin(), ranks_by_leaf.end(), 0U);
  std::ranges::sort(ranks_by_leaf, {}, [&](std::uint32_t r) { return object_of_rank[r]; });

  Wide busiest = 0;
  for (unsigned level = tree.depth(); level > 0; --level) {
    const UsedObjects used = used_objects(ranks_by_leaf, object_of_rank);
    busiest = std::max(busiest, busiest_link(matrix, used));
    for (std::uint32_t& object : object_of_rank) {
      object = static_cast<std::uint32_t>(tree.parent(level, object));
    }
  }
  return narrowed(busiest, "max_link_load");
}

}  // namespace kith
