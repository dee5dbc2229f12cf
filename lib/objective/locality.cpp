#include "objective/link_load.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "kith/detail/network_machine.hpp"
#include "kith/detail/tree_machine.hpp"

namespace kith {
namespace {

/// The object of depth `level` above each rank.
std::vector<std::uint64_t> objects_above(const TreeMachine& tree, const Mapping& mapping,
                                         unsigned level) {
  std::vector<std::uint64_t> object_of;
  object_of.reserve(mapping.slot_of.size());
  for (const Slot slot : mapping.slot_of) {
    object_of.push_back(tree.ancestor(tree.leaf_of_slot(slot), level));
  }
  return object_of;
}

/// The lowest level that has objects with several leaves; nothing where none has.
std::optional<unsigned> lowest_shared_level(const TreeMachine& tree) {
  for (unsigned level = tree.depth(); level-- > 0;) {
    if (tree.objects(level) < tree.slots()) return level;
  }
  return std::nullopt;
}

std::optional<unsigned> level_named(const TreeMachine& tree, std::string_view name) {
  const auto found = std::ranges::find(tree.levels(), name, &Level::name);
  if (found == tree.levels().end()) return std::nullopt;
  return static_cast<unsigned>(found - tree.levels().begin());
}

struct NumaNodes {
  std::string level;
  std::vector<std::uint64_t> of_rank;
};

NumaNodes numa_nodes(const Machine& machine, const Mapping& mapping) {
  if (const TreeMachine* tree = machine.as_tree()) {
    for (const char* name : {"numa", "package"}) {
      if (const auto level = level_named(*tree, name)) {
        return {name, objects_above(*tree, mapping, *level)};
      }
    }
  }
  NumaNodes nodes{"node", {}};
  for (const Slot slot : mapping.slot_of) nodes.of_rank.push_back(machine.node_of(slot));
  return nodes;
}

/// Numbers the groups that there are from 0 on, in their order, and lists the ranks by group.
/// Returns how many there are.
std::uint64_t renumber(std::vector<std::uint64_t>& group_of, std::vector<std::uint32_t>& by_group) {
  by_group.resize(group_of.size());
  std::iota(by_group.begin(), by_group.end(), 0U);
  std::ranges::stable_sort(by_group, {}, [&](std::uint32_t r) { return group_of[r]; });
  std::uint64_t count = 0;
  std::uint64_t before = 0;
  for (const std::uint32_t r : by_group) {
    if (count == 0 || group_of[r] != before) ++count;
    before = std::exchange(group_of[r], count - 1);
  }
  return count;
}

/// Over pairs of groups with traffic.
struct PairSums {
  Wide all = 0;
  Wide most = 0;
  Wide least = 0;
  Wide pairs = 0;  ///< how many there are

  void add(Wide bytes) {
    least = pairs == 0 ? bytes : std::min(least, bytes);
    most = std::max(most, bytes);
    all += bytes;
    ++pairs;
  }
};

/// Group by group, each with those behind it: memory for one row of the table only.
PairSums sums_of_pairs(const TrafficGraph& graph, const std::vector<std::uint64_t>& group_of,
                       const std::vector<std::uint32_t>& by_group, std::uint64_t groups) {
  PairSums sums;
  std::vector<Wide> bytes(groups);
  std::vector<std::uint64_t> reached;
  for (std::size_t next = 0; next < by_group.size();) {
    const std::uint64_t group = group_of[by_group[next]];
    for (; next < by_group.size() && group_of[by_group[next]] == group; ++next) {
      const Rank rank(by_group[next]);
      const auto neighbours = graph.neighbours(rank);
      const auto weights = graph.weights(rank);
      for (std::size_t i = 0; i < neighbours.size(); ++i) {
        const std::uint64_t other = group_of[neighbours[i].value];
        if (other <= group || weights[i] == 0) continue;
        if (bytes[other] == 0) reached.push_back(other);
        bytes[other] += weights[i];
      }
    }
    for (const std::uint64_t other : reached) sums.add(std::exchange(bytes[other], 0));
    reached.clear();
  }
  return sums;
}

}  // namespace

Wide bytes_between(const TrafficGraph& graph, const std::vector<std::uint64_t>& group_of_rank) {
  Wide twice = 0;
  for (Rank a(0); a.value < graph.ranks(); ++a) {
    const auto neighbours = graph.neighbours(a);
    const auto weights = graph.weights(a);
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      if (group_of_rank[a.value] != group_of_rank[neighbours[i].value]) twice += weights[i];
    }
  }
  return twice / 2;
}

NumaBytes numa_bytes(const TrafficGraph& graph, const Machine& machine, const Mapping& mapping) {
  NumaNodes nodes = numa_nodes(machine, mapping);
  std::vector<std::uint32_t> by_node;
  const std::uint64_t count = renumber(nodes.of_rank, by_node);
  const Wide pairs = count == 0 ? 0 : Wide{count} * (count - 1) / 2;
  const PairSums sums = sums_of_pairs(graph, nodes.of_rank, by_node, count);
  NumaBytes result;
  result.level = std::move(nodes.level);
  result.sum = narrowed(sums.all, "numa_bytes");
  result.max = narrowed(sums.most, "numa_bytes");
  result.min = sums.pairs < pairs ? 0 : narrowed(sums.least, "numa_bytes");
  if (pairs > 0) result.average = to_double(sums.all) / to_double(pairs);
  return result;
}

std::optional<std::uint64_t> reduction_value(const TrafficGraph& graph, const Machine& machine,
                                             const Mapping& mapping) {
  std::vector<std::uint64_t> group_of;
  if (const TreeMachine* tree = machine.as_tree()) {
    const auto level = lowest_shared_level(*tree);
    if (!level) return std::nullopt;
    group_of = objects_above(*tree, mapping, *level);
  } else {
    const NetworkMachine* network = machine.as_network();
    const TreeMachine* node_tree = network == nullptr ? nullptr : network->node_tree();
    const auto level = node_tree == nullptr ? std::nullopt : lowest_shared_level(*node_tree);
    if (!level) return std::nullopt;
    for (const Slot slot : mapping.slot_of) {
      const std::uint64_t leaf =
          node_tree->leaf_of_slot(Slot(slot.value % network->slots_per_node()));
      group_of.push_back(network->node_of(slot) * node_tree->objects(*level) +
                         node_tree->ancestor(leaf, *level));
    }
  }
  return narrowed(2 * bytes_between(graph, group_of), "reduction_value");
}

}  // namespace kith
