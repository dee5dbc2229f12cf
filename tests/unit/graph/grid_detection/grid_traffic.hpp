// Traffic of a grid of any shape, made the plain way: each point looks at all steps around it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/rng.hpp"
#include "kith/traffic.hpp"

namespace kith::test {

struct Grid {
  std::vector<std::uint32_t> extents;
  std::vector<bool> periodic;
  std::string stencil;  ///< as GridStructure::stencil

  std::uint32_t ranks() const {
    std::uint32_t ranks = 1;
    for (const std::uint32_t extent : extents) ranks *= extent;
    return ranks;
  }
};

/// Weight of a pair that lies `steps` apart.
using WeightOf = std::function<Weight(const std::vector<int>& steps)>;

inline Weight alike(const std::vector<int>&) {
  return 1000;
}

inline bool in_stencil(const std::string& stencil, const std::vector<int>& steps) {
  int axes = 0;
  int longest = 0;
  for (const int step : steps) {
    axes += step != 0;
    longest = std::max(longest, std::abs(step));
  }
  const std::size_t d = steps.size();
  const auto named = [&](std::size_t points) {
    return stencil == std::to_string(points) + "-point";
  };
  if (stencil == "9-point star" || (d != 2 && named(4 * d + 1))) return axes == 1;
  if (named(2 * d + 1)) return axes == 1 && longest == 1;
  if (d == 3 && stencil == "19-point") return longest == 1 && (axes == 1 || axes == 2);
  return longest == 1;  // with corners
}

/// Rank r of the grid is relabelled to label[r]; empty: row-major. Pairs reached twice, around a
/// ring of 2 or 3 say, count once.
inline TrafficMatrixBuilder grid_cells(const Grid& grid,
                                       const std::vector<std::uint32_t>& label = {},
                                       const WeightOf& weight = alike) {
  const std::size_t dimensions = grid.extents.size();
  TrafficMatrixBuilder builder(grid.ranks());
  std::vector<int> at(dimensions, 0);
  const auto name = [&](std::uint32_t r) { return Rank{label.empty() ? r : label[r]}; };
  for (std::uint32_t here = 0; here < grid.ranks(); ++here) {
    std::uint32_t rest = here;
    for (std::size_t d = dimensions; d-- > 0;) {
      at[d] = static_cast<int>(rest % grid.extents[d]);
      rest /= grid.extents[d];
    }
    std::vector<std::uint32_t> seen;
    std::vector<int> steps(dimensions, -2);
    for (bool more = true; more;) {
      bool inside = in_stencil(grid.stencil, steps);
      std::uint32_t there = 0;
      for (std::size_t d = 0; d < dimensions; ++d) {
        const int extent = static_cast<int>(grid.extents[d]);
        int x = at[d] + steps[d];
        if (grid.periodic[d]) x = ((x % extent) + extent) % extent;
        inside &= x >= 0 && x < extent;
        there = there * grid.extents[d] + static_cast<std::uint32_t>(std::max(x, 0));
      }
      if (inside && there > here && std::ranges::find(seen, there) == seen.end()) {
        seen.push_back(there);
        builder.add(name(here), name(there), weight(steps));
      }
      std::size_t d = 0;
      while (d < dimensions && steps[d] == 2) steps[d++] = -2;
      more = d < dimensions;
      if (more) ++steps[d];
    }
  }
  return builder;
}

inline TrafficGraph grid_graph(const Grid& grid, const std::vector<std::uint32_t>& label = {},
                               const WeightOf& weight = alike) {
  return TrafficGraph::from(grid_cells(grid, label, weight).build());
}

/// "5-point 16 12p".
inline std::string name(const Grid& grid) {
  std::string text = grid.stencil;
  for (std::size_t d = 0; d < grid.extents.size(); ++d) {
    text += ' ' + std::to_string(grid.extents[d]) + (grid.periodic[d] ? "p" : "");
  }
  return text;
}

/// Messages of up to `most` between any two ranks.
inline void add_strays(TrafficMatrixBuilder& builder, std::uint32_t ranks, std::uint32_t count,
                       Weight most) {
  Rng rng(11);
  for (std::uint32_t i = 0; i < count; ++i) {
    const Rank from{static_cast<std::uint32_t>(rng.below(ranks))};
    builder.add(from, Rank{static_cast<std::uint32_t>(rng.below(ranks))}, 1 + rng.below(most));
  }
}

}  // namespace kith::test
