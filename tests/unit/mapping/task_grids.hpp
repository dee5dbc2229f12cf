// Grids of ranks for the tests of tilings.
#pragma once

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <vector>

#include "kith/detail/generate.hpp"
#include "kith/detail/structure.hpp"
#include "kith/mapper.hpp"
#include "mapping/tiling/task_grid.hpp"

namespace kith::testing {

inline TrafficGraph stencil_graph(const std::vector<std::uint32_t>& extents, unsigned points,
                                  bool periodic = false) {
  std::vector<Weight> weights{1};
  if (points == 9) weights = {10, 1};
  if (points == 27) weights = {100, 10, 1};
  return TrafficGraph::from(to_matrix(*make_stencil(extents, points, periodic, weights)));
}

/// Ranks numbered at random.
inline TrafficGraph permuted(const TrafficGraph& graph, std::uint64_t seed) {
  std::vector<std::uint32_t> number(graph.ranks());
  std::iota(number.begin(), number.end(), 0U);
  std::mt19937_64 random(seed);
  std::shuffle(number.begin(), number.end(), random);
  TrafficMatrixBuilder builder(graph.ranks());
  for (std::uint32_t r = 0; r < graph.ranks(); ++r) {
    for (std::size_t i = 0; i < graph.degree(Rank(r)); ++i) {
      const Rank other = graph.neighbours(Rank(r))[i];
      if (other.value > r) {
        builder.add(Rank(number[r]), Rank(number[other.value]), graph.weights(Rank(r))[i]);
      }
    }
  }
  return TrafficGraph::from(builder.build());
}

inline tiling::TaskGrid grid_in(const TrafficGraph& graph) {
  return tiling::task_grid(graph, find_grid_structure(graph).value());
}

/// How many ranks each slot in use has.
inline std::map<std::uint32_t, std::uint32_t> ranks_by_slot(const Mapping& mapping) {
  std::map<std::uint32_t, std::uint32_t> ranks;
  for (const Slot slot : mapping.slot_of) ++ranks[slot.value];
  return ranks;
}

inline std::uint32_t most_on_a_slot(const Mapping& mapping) {
  std::uint32_t most = 0;
  for (const auto& [slot, ranks] : ranks_by_slot(mapping)) most = std::max(most, ranks);
  return most;
}

/// Both directions of a pair carry its weight: the tables of papers count it once.
inline std::uint64_t one_way(const MapProblem& problem, const Mapping& mapping) {
  return evaluate_objective(problem.graph, problem.machine, mapping, problem.options.objective) / 2;
}

}  // namespace kith::testing
