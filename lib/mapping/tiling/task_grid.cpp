#include "mapping/tiling/task_grid.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>

namespace kith::tiling {
namespace {

constexpr int longest = 2;  // steps; longer ones are no stencil's

}  // namespace

TaskGrid task_grid(const TrafficGraph& graph, const GridStructure& structure) {
  const std::size_t dimensions = structure.extents.size();
  TaskGrid grid;
  grid.dimensions = static_cast<unsigned>(dimensions);
  std::ranges::copy(structure.extents, grid.extents.begin());
  std::ranges::copy(structure.periodic, grid.periodic.begin());
  grid.place_of.resize(graph.ranks());
  for (std::uint32_t r = 0; r < graph.ranks(); ++r) {
    const auto point = structure.coordinates.of(r);
    for (std::size_t d = 0; d < dimensions; ++d) {
      grid.place_of[r][d] = static_cast<std::uint32_t>(point[d]);
    }
  }
  std::map<std::array<int, most_dimensions>, double> total;
  for (Rank a(0); a.value < graph.ranks(); ++a) {
    const auto neighbours = graph.neighbours(a);
    const auto weights = graph.weights(a);
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      const Rank b = neighbours[i];
      std::array<int, most_dimensions> steps{};
      bool is_short = true;
      for (std::size_t d = 0; d < dimensions && is_short; ++d) {
        const int extent = static_cast<int>(grid.extents[d]);
        int step = static_cast<int>(grid.place_of[b.value][d]) -
                   static_cast<int>(grid.place_of[a.value][d]);
        if (grid.periodic[d] && 2 * std::abs(step) > extent) step -= step > 0 ? extent : -extent;
        is_short = std::abs(step) <= longest;
        steps[d] = step;
      }
      const bool forward = steps > std::array<int, most_dimensions>{};
      if (is_short && forward) total[steps] += static_cast<double>(weights[i]);
    }
  }
  for (const auto& [steps, weight] : total) {
    Displacement displacement{steps, 1};
    displacement.weight = weight / pairs_inside(grid, displacement, grid.extents);
    grid.displacements.push_back(displacement);
  }
  return grid;
}

double pairs_inside(const TaskGrid& grid, const Displacement& displacement, const Place& block) {
  double pairs = 1;
  for (std::size_t d = 0; d < most_dimensions; ++d) {
    const auto step = static_cast<std::uint32_t>(std::abs(displacement.steps[d]));
    if (block[d] == grid.extents[d] && grid.periodic[d]) {
      pairs *= block[d];
    } else {
      pairs *= block[d] > step ? block[d] - step : 0;
    }
  }
  return pairs;
}

}  // namespace kith::tiling
