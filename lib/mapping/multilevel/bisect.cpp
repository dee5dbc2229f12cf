#include "mapping/multilevel/multilevel.hpp"

#include <algorithm>
#include <utility>

#include "mapping/multilevel/two_way.hpp"
#include "mapping/multilevel/work_graph.hpp"

namespace kith::multilevel {
namespace {

constexpr std::uint32_t fewest_vertices = 80;  // vertices: so few that starts cost nothing

using Sides = std::vector<std::uint8_t>;

std::uint64_t tolerance_of(const WorkGraph& graph) {
  return *std::ranges::max_element(graph.sizes) - std::uint64_t{1};
}

bool bisection_is_over(Budget* budget) {
  return budget != nullptr && budget->exhausted();
}

/// For want of time.
Sides in_order(const WorkGraph& graph, std::uint64_t size_of_0) {
  Sides side(graph.vertices(), 1);
  std::uint64_t size = 0;
  for (std::uint32_t v = 0; v < graph.vertices() && size < size_of_0; ++v) {
    side[v] = 0;
    size += graph.sizes[v];
  }
  return side;
}

/// Grows side 0 from one vertex, taking what costs least.
Sides grow(const WorkGraph& graph, std::uint64_t size_of_0, std::uint32_t seed) {
  Sides side(graph.vertices(), 1);
  GainHeap heap(graph.vertices());
  std::vector<std::int64_t> gain(graph.vertices());
  for (std::uint32_t v = 0; v < graph.vertices(); ++v) {
    for (const std::int64_t weight : graph.weights_of(v)) gain[v] -= weight;
    if (!graph.bias.empty()) gain[v] += graph.bias[v];
  }
  std::uint64_t size = 0;
  std::uint32_t next_start = 0;
  heap.put(seed, 0);
  while (size < size_of_0) {
    while (heap.empty()) {  // the component is full
      if (side[next_start] == 1) heap.put(next_start, 0);
      ++next_start;
    }
    const std::uint32_t v = heap.top();
    heap.remove(v);
    side[v] = 0;
    size += graph.sizes[v];
    const auto neighbours = graph.neighbours_of(v);
    const auto weights = graph.weights_of(v);
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      gain[neighbours[i]] += 2 * weights[i];
      if (side[neighbours[i]] == 1) heap.put(neighbours[i], gain[neighbours[i]]);
    }
  }
  return side;
}

Sides best_start(const WorkGraph& graph, std::uint64_t size_of_0, const Trials& trials, Rng& rng,
                 Budget* budget) {
  const Balance balance{size_of_0, tolerance_of(graph)};
  Sides best;
  std::pair<std::uint64_t, std::int64_t> best_value{};
  for (unsigned i = 0; i < std::max(trials.starts, 1U); ++i) {
    Sides side = grow(graph, size_of_0, static_cast<std::uint32_t>(rng.below(graph.vertices())));
    TwoWay two_way(graph, side, budget);
    two_way.refine(balance, trials.passes, trials.patience);
    const std::pair value{two_way.off(balance), two_way.cost()};
    if (best.empty() || value < best_value) {
      best_value = value;
      best = std::move(side);
    }
  }
  return best;
}

/// From the coarsest graph back to `graph`.
Sides multilevel(const WorkGraph& graph, std::uint64_t size_of_0, const Trials& trials, Rng& rng,
                 Budget* budget) {
  std::vector<Coarse> levels;
  const WorkGraph* top = &graph;
  const std::uint64_t total = graph.total_size();
  while (top->vertices() > fewest_vertices) {
    if (bisection_is_over(budget)) return in_order(graph, size_of_0);
    const auto most = static_cast<std::uint32_t>(
        std::clamp<std::uint64_t>(total * 3 / (std::uint64_t{2} * fewest_vertices), 2, UINT32_MAX));
    Coarse next = coarsen(*top, most, rng);
    if (next.graph.vertices() > top->vertices() - top->vertices() / 16) break;
    levels.push_back(std::move(next));
    top = &levels.back().graph;
  }
  Sides sides = best_start(*top, size_of_0, trials, rng, budget);
  for (std::size_t l = levels.size() + 1; l-- > 0;) {
    const WorkGraph& here = l == 0 ? graph : levels[l - 1].graph;
    TwoWay(here, sides, budget)
        .refine({size_of_0, tolerance_of(here)}, trials.passes, trials.patience);
    if (l == 0) break;
    const std::vector<std::uint32_t>& group_of = levels[l - 1].group_of;
    Sides below(group_of.size());
    for (std::uint32_t v = 0; v < group_of.size(); ++v) below[v] = sides[group_of[v]];
    sides = std::move(below);
    levels.pop_back();  // large graphs: nobody needs it any more
  }
  return sides;
}

}  // namespace

std::vector<std::uint8_t> bisect(const WorkGraph& graph, std::uint64_t size_of_0,
                                 const Trials& trials, Rng& rng, Budget* budget) {
  if (graph.vertices() == 0) return {};
  if (size_of_0 == 0) return Sides(graph.vertices(), 1);
  if (size_of_0 >= graph.total_size()) return Sides(graph.vertices(), 0);
  return multilevel(graph, size_of_0, trials, rng, budget);
}

}  // namespace kith::multilevel
