#include "mapping/tiling/task_grid.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>

namespace kith::tiling {
namespace {

double volume(const Place& box) {
  double volume = 1;
  for (const std::uint32_t extent : box) volume *= extent;
  return volume;
}

void factorise(std::uint32_t product, const Place& room, std::size_t dimension, Place& factors,
               const std::function<void(const Place&)>& visit) {
  if (dimension + 1 == most_dimensions) {
    if (room[dimension] % product != 0) return;
    factors[dimension] = product;
    visit(factors);
    return;
  }
  for (std::uint32_t factor = 1; factor <= product && factor <= room[dimension]; ++factor) {
    if (product % factor != 0 || room[dimension] % factor != 0) continue;
    factors[dimension] = factor;
    factorise(product / factor, room, dimension + 1, factors, visit);
  }
}

/// The best that leads to boxes of some extents.
struct Choice {
  double saving = 0;
  Place outer{};
};

}  // namespace

void for_each_factorisation(std::uint32_t product, const Place& room,
                            const std::function<void(const Place&)>& visit) {
  Place factors{};
  factorise(product, room, 0, factors, visit);
}

double weight_inside(const TaskGrid& grid, const Place& box) {
  double weight = 0;
  for (const Displacement& displacement : grid.displacements) {
    weight += displacement.weight * pairs_inside(grid, displacement, box);
  }
  return weight * volume(grid.extents) / volume(box);
}

std::optional<std::vector<Place>> best_boxes(const TaskGrid& grid,
                                             const std::vector<Branching>& levels) {
  std::vector<std::map<Place, Choice>> best(levels.size() + 1);
  best[0][grid.extents] = {};
  for (std::size_t l = 0; l < levels.size(); ++l) {
    const double saved = levels[l].cost - (l + 1 < levels.size() ? levels[l + 1].cost : 0);
    for (const auto& [outer, choice] : best[l]) {
      const double before = choice.saving;
      for_each_factorisation(levels[l].arity, outer, [&, &from = outer](const Place& by) {
        Place box{};
        for (std::size_t d = 0; d < most_dimensions; ++d) box[d] = from[d] / by[d];
        const double saving = before + saved * weight_inside(grid, box);
        const auto [at, is_new] = best[l + 1].try_emplace(box, Choice{saving, from});
        if (!is_new && saving > at->second.saving) at->second = {saving, from};
      });
    }
    if (best[l + 1].empty()) return std::nullopt;
  }
  std::vector<Place> boxes(levels.size());
  Place at = std::ranges::max_element(best.back(), {}, [](const auto& item) {
               return item.second.saving;
             })->first;
  for (std::size_t l = levels.size(); l-- > 0;) {
    boxes[l] = at;
    at = best[l + 1].at(at).outer;
  }
  return boxes;
}

std::uint64_t leaf_of(const TaskGrid& grid, const Place& place, const std::vector<Place>& boxes) {
  std::uint64_t leaf = 0;
  Place outer = grid.extents;
  for (const Place& box : boxes) {
    for (std::size_t d = 0; d < most_dimensions; ++d) {
      leaf = leaf * (outer[d] / box[d]) + place[d] % outer[d] / box[d];
    }
    outer = box;
  }
  return leaf;
}

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
