// Which of the grids that are found a person would name.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "graph/grid_detection/axes.hpp"
#include "kith/detail/structure.hpp"
#include "kith/traffic.hpp"

namespace kith {
namespace {

std::optional<Stencil> stencil_of(const GridStructure& structure) {
  for (const Stencil stencil : stencils) {
    if (stencil_name(stencil, structure.extents.size()) == structure.stencil) return stencil;
  }
  return std::nullopt;
}

/// From one rank to another, around the ring where that is shorter.
std::vector<int> steps_between(const GridStructure& grid, Rank a, Rank b) {
  const auto from = grid.coordinates.of(a.value);
  const auto to = grid.coordinates.of(b.value);
  std::vector<int> steps(grid.extents.size());
  for (std::size_t d = 0; d < steps.size(); ++d) {
    const int extent = static_cast<int>(grid.extents[d]);
    steps[d] = static_cast<int>(to[d]) - static_cast<int>(from[d]);
    if (grid.periodic[d] && 2 * std::abs(steps[d]) > extent) {
      steps[d] += steps[d] > 0 ? -extent : extent;
    }
  }
  return steps;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

/// The traffic as the grid sorts it.
struct Sorted {
  std::vector<std::vector<double>> along;  ///< weights of single steps, by dimension
  std::vector<double> inside;              ///< all weights of the stencil
  std::vector<double> beyond_faces;        ///< of these, of all but single steps
  struct Outside {
    double weight;
    bool is_near;
  };
  std::vector<Outside> outside;
};

Sorted sort_pairs(const TrafficGraph& graph, const GridStructure& grid, Stencil stencil) {
  constexpr int near = 4;  // steps, all dimensions together
  Sorted sorted;
  sorted.along.resize(grid.extents.size());
  for (Rank a(0); a.value < graph.ranks(); ++a) {
    for (std::size_t i = 0; i < graph.neighbours(a).size(); ++i) {
      const Rank b = graph.neighbours(a)[i];
      if (b < a) continue;
      const auto weight = static_cast<double>(graph.weights(a)[i]);
      const std::vector<int> steps = steps_between(grid, a, b);
      int length = 0;
      Offset offset{};
      for (std::size_t d = 0; d < steps.size(); ++d) {
        length += std::abs(steps[d]);
        offset[d] = steps[d];
      }
      const bool is_short =
          std::ranges::all_of(steps, [](int step) { return std::abs(step) <= Offsets::reach; });
      if (!is_short || !belongs(stencil, offset)) {
        sorted.outside.push_back({weight, length <= near});
        continue;
      }
      sorted.inside.push_back(weight);
      if (length != 1) {
        sorted.beyond_faces.push_back(weight);
        continue;
      }
      const auto along = std::ranges::find_if(steps, [](int step) { return step != 0; });
      sorted.along[static_cast<std::size_t>(along - steps.begin())].push_back(weight);
    }
  }
  return sorted;
}

/// A pair is no dimension: something must repeat more than once, and two dimensions of two may
/// stand beside that.
bool has_length(const GridStructure& grid) {
  const auto twos = std::ranges::count(grid.extents, 2U);
  return twos <= 2 && twos < static_cast<std::ptrdiff_t>(grid.extents.size());
}

/// Most pairs of one direction weigh about the same.
bool is_alike(const std::vector<double>& weights) {
  constexpr double factor = 8;
  constexpr double most = 0.75;
  const double middle = median(weights);
  const auto like = std::ranges::count_if(
      weights, [&](double w) { return w * factor >= middle && w <= middle * factor; });
  return static_cast<double>(like) >= most * static_cast<double>(weights.size());
}

/// No direction is next to nothing beside the others, and one that is a single pair long talks
/// about as much as a longer one.
bool directions_compare(const GridStructure& grid, const std::vector<double>& means) {
  constexpr double widest = 100;
  constexpr double like_a_pair = 8;
  const auto [least, most] = std::ranges::minmax(means);
  if (least * widest < most) return false;
  for (std::size_t d = 0; d < means.size(); ++d) {
    if (grid.extents[d] > 2) continue;
    bool compares = false;
    for (std::size_t other = 0; other < means.size(); ++other) {
      compares |= grid.extents[other] > 2 && means[d] <= like_a_pair * means[other] &&
                  means[other] <= like_a_pair * means[d];
    }
    if (!compares) return false;
  }
  return true;
}

/// Pairs as heavy as the stencil's: few, and not such as just miss it, which show that some ranks
/// lie where they do not belong.
bool outside_is_noise(const Sorted& sorted) {
  constexpr double most = 0.05;
  constexpr double few = 0.005;
  const double heavy = median(sorted.inside) / 2;
  double outside = 0;
  double near = 0;
  for (const auto& pair : sorted.outside) {
    if (pair.weight < heavy) continue;
    ++outside;
    near += pair.is_near ? 1 : 0;
  }
  const double all = outside + static_cast<double>(sorted.inside.size());
  const bool is_few = outside <= std::max(1.0, few * all);  // one may be what it likes
  return outside <= most * all && (is_few || 2 * near <= outside);
}

/// Gaps may be many as long as all that is there fits.
bool gaps_are_believed(const GridStructure& grid, std::uint32_t ranks) {
  constexpr double least_explained = 0.95;
  constexpr double most_missing = 0.35;
  constexpr double least_full = 0.25;
  constexpr double least_full_of_pairs = 0.8;  // where pairs are missing too
  constexpr double hardly_any = 0.01;
  if (grid.holes == 0 && grid.missing_pairs == 0) return true;
  const double places = static_cast<double>(ranks) + static_cast<double>(grid.holes);
  return grid.explained >= least_explained && grid.missing_pairs <= most_missing &&
         ranks >= places * (grid.missing_pairs > hardly_any ? least_full_of_pairs : least_full);
}

/// Whether those who meet at a corner, or two steps apart, talk no more than those who are far from
/// each other do: then something else is sent among all, and the grid has faces alone.
bool has_faces_alone(const Sorted& sorted) {
  constexpr double alike = 2;
  if (sorted.beyond_faces.empty() || sorted.outside.size() < sorted.beyond_faces.size())
    return false;
  std::vector<double> outside;
  for (const auto& pair : sorted.outside) outside.push_back(pair.weight);
  return median(sorted.beyond_faces) <= alike * median(outside);
}

}  // namespace

GridStructure with_plain_stencil(const TrafficGraph& graph, GridStructure structure) {
  const auto stencil = stencil_of(structure);
  if (!stencil || *stencil == Stencil::faces) return structure;
  const std::uint64_t partners = points(*stencil, structure.extents.size()) - 1;
  if (2 * graph.edges() <= partners * graph.ranks()) return structure;  // nothing lies outside
  const Sorted sorted = sort_pairs(graph, structure, *stencil);
  if (!has_faces_alone(sorted)) return structure;
  const auto sum = [](const std::vector<double>& weights) {
    return std::accumulate(weights.begin(), weights.end(), 0.0);
  };
  structure.stencil = stencil_name(Stencil::faces, structure.extents.size());
  structure.explained *= 1 - sum(sorted.beyond_faces) / sum(sorted.inside);
  return structure;
}

namespace {

/// Whether all pairs of a line have traffic: a person would not call that a line.
bool is_everybody(const TrafficGraph& graph, const GridStructure& structure) {
  const std::uint64_t ranks = graph.ranks();
  return structure.extents.size() == 1 && ranks > 3 && graph.edges() == ranks * (ranks - 1) / 2;
}

}  // namespace

bool is_worth_naming(const TrafficGraph& graph, const GridStructure& structure) {
  const auto stencil = stencil_of(structure);
  if (!stencil || !has_length(structure) || is_everybody(graph, structure)) return false;
  if (!gaps_are_believed(structure, graph.ranks())) return false;
  const Sorted sorted = sort_pairs(graph, structure, *stencil);
  std::vector<double> means;
  for (const auto& weights : sorted.along) {
    if (weights.empty() || !is_alike(weights)) return false;
    double sum = 0;
    for (const double weight : weights) sum += weight;
    means.push_back(sum / static_cast<double>(weights.size()));
  }
  return directions_compare(structure, means) && outside_is_noise(sorted);
}

}  // namespace kith
