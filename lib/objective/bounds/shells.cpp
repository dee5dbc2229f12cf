#include "objective/bounds/grid_bounds.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <vector>

#include "kith/detail/network_machine.hpp"
#include "kith/detail/tree_machine.hpp"
#include "objective/distance.hpp"

namespace kith::bounds {
namespace {

using ObjectsBySize = std::map<std::uint64_t, std::uint64_t>;

/// Objects of `width` slots each, consecutive: how many have how many allowed slots.
ObjectsBySize sizes_of_ranges(const SlotSet& allowed, std::uint64_t width) {
  ObjectsBySize objects;
  std::uint64_t object = 0;
  std::uint64_t in_object = 0;
  const auto close = [&] {
    if (in_object > 0) ++objects[in_object];
    in_object = 0;
  };
  for (const SlotSet::Interval& interval : allowed.intervals()) {
    std::uint64_t at = interval.first.value;
    const std::uint64_t end = std::uint64_t{interval.last.value} + 1;
    while (at < end) {
      if (at / width != object) close();
      object = at / width;
      if (at % width == 0 && end - at >= width) {
        const std::uint64_t whole = (end - at) / width;
        objects[width] += whole;
        at += whole * width;
      } else {
        const std::uint64_t stop = std::min(end, (object + 1) * width);
        in_object += stop - at;
        at = stop;
      }
    }
  }
  close();
  return objects;
}

/// Of each depth from 1 on, top down.
std::vector<ObjectsBySize> sizes_in_tree(const TreeMachine& tree) {
  std::vector<ObjectsBySize> sizes(tree.depth());
  if (tree.is_symmetric() && tree.slots_in_leaf_order()) {
    for (unsigned l = 1; l <= tree.depth(); ++l) {
      sizes[l - 1] = sizes_of_ranges(tree.allowed(), tree.first_leaf(l, 1));
    }
    return sizes;
  }
  std::vector<std::uint32_t> above = tree.allowed_leaves();  // the object above each leaf
  for (unsigned l = tree.depth(); l >= 1; --l) {
    std::uint64_t run = 0;
    for (std::size_t i = 0; i < above.size(); ++i) {
      ++run;
      if (i + 1 < above.size() && above[i + 1] == above[i]) continue;
      ++sizes[l - 1][run];
      run = 0;
    }
    for (auto& object : above) object = static_cast<std::uint32_t>(tree.parent(l, object));
  }
  return sizes;
}

Shell group_shell(std::uint64_t distance, const ObjectsBySize& objects, std::uint32_t capacity) {
  Shell shell;
  shell.distance = distance;
  for (const auto& [size, count] : objects) shell.groups.push_back({size * capacity, count});
  std::ranges::reverse(shell.groups);
  shell.partners = shell.groups.front().places - 1;
  return shell;
}

std::vector<Shell> tree_shells(const TreeMachine& tree, Objective objective,
                               std::uint32_t capacity) {
  const TreeDistance distance(tree, objective);
  const auto sizes = sizes_in_tree(tree);
  std::vector<Shell> shells;
  // Who is in different objects of depth l + 1 may meet at a higher level that is cheaper.
  std::uint64_t cheapest = distance.at_level(0);
  for (unsigned l = 0; l < tree.depth(); ++l) {
    cheapest = std::min(cheapest, distance.at_level(l));
    shells.push_back(group_shell(cheapest, sizes[l], capacity));
  }
  return shells;
}

/// How many nodes are at each distance from the one that has most nodes near; at least `enough` of
/// them, or all. In a torus all are alike, in a mesh it is one in the middle.
std::vector<std::uint64_t> nodes_by_hops(const GridNetwork& grid, std::uint64_t enough) {
  std::vector<std::uint64_t> at{1};
  for (const std::uint64_t extent : grid.extents()) {
    if (extent == 1) continue;
    // Further away there are enough in this dimension alone.
    const std::uint64_t reach = std::min(extent / 2, enough);
    std::vector<std::uint64_t> next(at.size() + reach);
    for (std::uint64_t hops = 0; hops <= reach; ++hops) {
      const std::uint64_t alike = hops == 0 || 2 * hops == extent ? 1 : 2;
      for (std::size_t i = 0; i < at.size(); ++i) next[i + hops] += alike * at[i];
    }
    at = std::move(next);
    std::uint64_t total = 0;
    std::size_t length = 0;
    while (length < at.size() && total < enough) total += at[length++];
    at.resize(length);
  }
  return at;
}

std::vector<Shell> grid_shells(const NetworkMachine& machine, const GridNetwork& grid,
                               std::uint64_t places_in_node, std::uint64_t enough) {
  const std::uint64_t climbed =
      machine.node_tree() == nullptr ? 0 : 2 * std::uint64_t{machine.node_tree()->depth()};
  std::vector<Shell> shells;
  std::uint64_t within = 0;
  const auto at = nodes_by_hops(grid, enough / places_in_node + 2);
  for (std::size_t hops = 0; hops < at.size(); ++hops) {
    within += at[hops];
    shells.push_back({climbed + hops + 1, within * places_in_node - 1, {}});
  }
  return shells;
}

/// Looks at all pairs of allowed slots.
std::vector<Shell> surveyed_shells(const Machine& machine, Objective objective,
                                   std::uint32_t capacity) {
  const AnyDistance distance(machine, objective);
  const auto slots = machine.allowed().to_vector();
  std::map<std::uint64_t, std::uint64_t> most;  // most slots nearer than that to one slot
  std::vector<std::vector<std::uint64_t>> sorted(slots.size());
  for (std::size_t a = 0; a < slots.size(); ++a) {
    for (const Slot b : slots) sorted[a].push_back(distance(slots[a], b));
    std::ranges::sort(sorted[a]);
    for (const std::uint64_t d : sorted[a]) most[d] = 0;
  }
  for (const auto& row : sorted) {
    std::size_t nearer = 0;
    for (auto& [d, count] : most) {
      while (nearer < row.size() && row[nearer] < d) ++nearer;
      count = std::max<std::uint64_t>(count, nearer);
    }
  }
  std::vector<Shell> shells;
  for (const auto& [d, count] : most) {
    if (d > 0) shells.push_back({d, count * capacity - 1, {}});
  }
  return shells;
}

std::vector<Shell> network_shells(const NetworkMachine& machine, Objective objective,
                                  std::uint32_t capacity, std::uint32_t ranks) {
  const bool by_hops = objective == Objective::hop_bytes;
  const Network& network = machine.network();
  const std::uint64_t scale = by_hops ? 1 : machine.cost_scale();
  const std::uint64_t nearest = by_hops && network.has_costs() ? 1 : network.lowest_cost();
  std::vector<Shell> shells;
  std::uint64_t climbed = 0;
  if (const TreeMachine* tree = machine.node_tree()) {
    climbed = tree->level_hops()[0] * scale;
    for (unsigned l = 1; l <= tree->depth(); ++l) {
      const auto objects = sizes_of_ranges(machine.allowed(), tree->first_leaf(l, 1));
      shells.push_back(group_shell(tree->level_hops()[l - 1] * scale, objects, capacity));
    }
  }
  const auto nodes = sizes_of_ranges(machine.allowed(), machine.slots_per_node());
  shells.push_back(group_shell(climbed + nearest, nodes, capacity));
  if (const GridNetwork* grid = network.as_grid()) {
    const std::uint64_t places = std::uint64_t{machine.slots_per_node()} * capacity;
    std::ranges::move(grid_shells(machine, *grid, places, ranks), std::back_inserter(shells));
  }
  return shells;
}

}  // namespace

std::vector<Shell> shells_of(const Machine& machine, Objective objective, std::uint32_t capacity,
                             std::uint32_t ranks) {
  constexpr std::uint64_t few_slots = 512;
  if (const TreeMachine* tree = machine.as_tree()) return tree_shells(*tree, objective, capacity);
  std::vector<Shell> shells;
  if (const NetworkMachine* network = machine.as_network()) {
    shells = network_shells(*network, objective, capacity, ranks);
  }
  if (machine.allowed().size() <= few_slots) {
    std::ranges::move(surveyed_shells(machine, objective, capacity), std::back_inserter(shells));
  }
  return shells;
}

}  // namespace kith::bounds
