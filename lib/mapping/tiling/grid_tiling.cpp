#include "mapping/tiling/tilings.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <utility>

#include "mapping/budget.hpp"
#include "mapping/tiling/task_grid.hpp"

namespace kith::tiling {
namespace {

constexpr std::size_t most_blocks = 6;  // shapes of a node's box that are tried

std::uint64_t boxes_of(const TaskGrid& grid, const Place& box) {
  std::uint64_t boxes = 1;
  for (std::size_t d = 0; d < most_dimensions; ++d) {
    boxes *= (grid.extents[d] + box[d] - 1) / box[d];
  }
  return boxes;
}

/// The shapes of a node's box that keep the most traffic inside, the best first. Those at the ends
/// may be partly empty where there are nodes enough.
std::vector<Place> node_blocks(const TaskGrid& grid, std::uint32_t ranks_per_node,
                               std::uint64_t nodes) {
  std::vector<std::pair<double, Place>> shapes;
  constexpr std::uint32_t few = 4096;
  const std::uint32_t any = ranks_per_node;
  const Place room = ranks_per_node <= few ? Place{any, any, any, any} : grid.extents;
  for_each_factorisation(ranks_per_node, room, [&](const Place& shape) {
    const bool fits = std::ranges::equal(shape, grid.extents, std::less_equal{});
    if (fits && boxes_of(grid, shape) <= nodes) {
      shapes.emplace_back(weight_inside(grid, shape), shape);
    }
  });
  std::ranges::stable_sort(shapes, [](const auto& a, const auto& b) { return a.first > b.first; });
  if (shapes.size() > most_blocks) shapes.resize(most_blocks);
  std::vector<Place> blocks;
  for (const auto& [weight, shape] : shapes) blocks.push_back(shape);
  return blocks;
}

/// The grid whose places are the boxes of `grid`, with the traffic between neighbouring ones.
TaskGrid grid_of_boxes(const TaskGrid& grid, const Place& box) {
  TaskGrid outer;
  outer.dimensions = grid.dimensions;
  outer.periodic = grid.periodic;
  for (std::size_t d = 0; d < most_dimensions; ++d) {
    outer.extents[d] = (grid.extents[d] + box[d] - 1) / box[d];
    if (outer.extents[d] <= 2) outer.periodic[d] = false;
  }
  for (std::size_t d = 0; d < grid.dimensions; ++d) {
    Displacement step;
    step.steps[d] = 1;
    // Through a face go all displacements along that dimension, once for each step.
    for (const Displacement& displacement : grid.displacements) {
      double through = std::abs(displacement.steps[d]) * displacement.weight;
      for (std::size_t other = 0; other < most_dimensions; ++other) {
        if (other != d) through *= box[other];
      }
      step.weight += through;
    }
    if (outer.extents[d] > 1) outer.displacements.push_back(step);
  }
  return outer;
}

/// Slots within a node: the boxes of its tree.
std::vector<std::uint32_t> slots_in_node(const NetworkMachine& machine, const TaskGrid& grid,
                                         const Place& block, std::uint32_t capacity) {
  TaskGrid inner = grid;
  inner.extents = block;
  inner.periodic = {};
  std::vector<Branching> levels;
  if (const TreeMachine* tree = machine.node_tree()) {
    const auto arities = tree->allowed_arities();
    for (unsigned level = 0; level < tree->depth(); ++level) {
      levels.push_back({(*arities)[level], static_cast<double>(tree->level_cost()[level])});
    }
  }
  levels.push_back({capacity, 0});
  const auto boxes = best_boxes(inner, levels);
  std::uint32_t ranks = 1;
  for (const std::uint32_t extent : block) ranks *= extent;
  std::vector<std::uint32_t> slot_of(ranks);
  for (std::uint32_t i = 0; i < ranks; ++i) {
    Place place{};
    std::uint32_t rest = i;
    for (std::size_t d = most_dimensions; d-- > 0; rest /= block[d]) place[d] = rest % block[d];
    const std::uint64_t leaf = boxes ? leaf_of(inner, place, *boxes) : i;
    slot_of[i] = static_cast<std::uint32_t>(leaf / capacity);
  }
  return slot_of;
}

}  // namespace

std::optional<GridTiling> tile_grid(const MapTask& problem, const NetworkMachine& machine,
                                    const TaskGrid& grid) {
  const GridNetwork* const network = machine.network().as_grid();
  const std::uint32_t capacity = problem.options.capacity;
  const std::uint64_t per_node = std::uint64_t{machine.slots_per_node()} * capacity;
  if (network == nullptr || machine.allowed().size() != machine.slots() ||
      per_node > problem.graph.ranks() || per_node * machine.nodes() < problem.graph.ranks()) {
    return std::nullopt;
  }
  std::optional<Folding> best;
  Place best_block{};
  for (const Place& block :
       node_blocks(grid, static_cast<std::uint32_t>(per_node), machine.nodes())) {
    const auto folding = best_folding(grid_of_boxes(grid, block), *network);
    if (!folding || (best && folding->cost >= best->cost)) continue;
    best = folding;
    best_block = block;
    if (best->is_perfect) break;  // further shapes send more through their faces
  }
  if (!best) return std::nullopt;
  const auto inside = slots_in_node(machine, grid, best_block, capacity);
  GridTiling tiling;
  tiling.is_perfect = best->is_perfect;
  tiling.node_block.assign(best_block.begin(), best_block.begin() + grid.dimensions);
  for (const Place& place : grid.place_of) {
    Place box{};
    std::uint32_t within = 0;
    for (std::size_t d = 0; d < most_dimensions; ++d) {
      box[d] = place[d] / best_block[d];
      within = within * best_block[d] + place[d] % best_block[d];
    }
    tiling.mapping.slot_of.emplace_back(best->node_of(box) * machine.slots_per_node() +
                                        inside[within]);
  }
  return tiling;
}

}  // namespace kith::tiling
