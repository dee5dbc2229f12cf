#include "report/axis_levels.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "kith/detail/network_machine.hpp"
#include "kith/detail/tree_machine.hpp"

namespace kith {
namespace {

/// Levels of few objects come first; one that only repeats another is left out, but never hosts.
void add_level(AxisLevel level, std::vector<AxisLevel>& levels) {
  if (level.objects < 2) return;
  if (!levels.empty() && levels.back().objects >= level.objects) {
    if (!level.is_host) return;
    levels.pop_back();
  }
  levels.push_back(std::move(level));
}

std::vector<AxisLevel> levels_of_tree(const TreeMachine& tree) {
  std::vector<AxisLevel> levels;
  for (unsigned depth = 1; depth <= tree.depth(); ++depth) {
    const bool is_host = depth == tree.node_level();
    if (depth == tree.depth() && !is_host) break;
    const std::string name = is_host ? "host" : tree.levels()[depth].name;
    add_level({name, tree.objects(depth), is_host, depth}, levels);
  }
  return levels;
}

/// Planes and rows of a grid: nodes that differ in the last two or the last coordinate only.
void add_grid(const GridNetwork& grid, std::vector<AxisLevel>& levels) {
  static constexpr std::array names{"row", "plane"};
  if (grid.kind() == "hypercube") return;
  const auto extents = grid.extents();
  std::uint64_t objects = 1;
  for (std::size_t i = 0; i + 1 < extents.size(); ++i) {
    objects *= extents[i];
    const std::size_t inside = extents.size() - i - 1;  // coordinates that vary in an object
    if (inside <= names.size()) add_level({names[inside - 1], objects}, levels);
  }
}

std::vector<AxisLevel> levels_of_network(const NetworkMachine& machine) {
  std::vector<AxisLevel> levels;
  const Network& network = machine.network();
  if (const GridNetwork* const grid = network.as_grid()) add_grid(*grid, levels);
  if (const auto* const dragonfly = dynamic_cast<const DragonflyNetwork*>(&network)) {
    add_level({"group", dragonfly->groups()}, levels);
    add_level({"router", std::uint64_t{dragonfly->groups()} * dragonfly->routers()}, levels);
  }
  add_level({"host", machine.nodes(), true}, levels);
  const TreeMachine* const node = machine.node_tree();
  for (unsigned depth = 1; node != nullptr && depth < node->depth(); ++depth) {
    add_level({node->levels()[depth].name, node->objects(depth) * machine.nodes()}, levels);
  }
  return levels;
}

}  // namespace

std::vector<AxisLevel> axis_levels(const Machine& machine) {
  if (const TreeMachine* const tree = machine.as_tree()) return levels_of_tree(*tree);
  if (const NetworkMachine* const network = machine.as_network()) {
    return levels_of_network(*network);
  }
  std::vector<AxisLevel> levels;
  add_level({"host", machine.nodes(), true}, levels);
  return levels;
}

std::vector<AxisRun> runs_along(const Machine& machine, const AxisLevel& level,
                                std::span<const std::uint32_t> places, std::size_t most) {
  const TreeMachine* const tree = machine.as_tree();
  const std::uint64_t size = machine.slots() / level.objects;  // of a network's objects
  const auto object_of = [&](std::uint32_t place) {
    return tree != nullptr ? tree->ancestor(place, level.depth) : place / size;
  };
  std::vector<AxisRun> runs;
  std::uint64_t next = 0;  // the object behind the last one
  for (std::size_t begin = 0; begin < places.size();) {
    const std::uint64_t object = object_of(places[begin]);
    std::size_t end = begin + 1;
    while (end < places.size() && object_of(places[end]) == object) ++end;
    const std::uint64_t ranks = end - begin;
    if (!runs.empty() && object == next && runs.back().ranks == ranks) {
      ++runs.back().objects;
    } else {
      if (runs.size() == most) return {};
      runs.push_back({object - next, 1, ranks});
    }
    next = object + 1;
    begin = end;
  }
  return runs;
}

}  // namespace kith
