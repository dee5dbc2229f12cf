// Points in a space of few dimensions, as geometric mappers cut them.
#pragma once

#include <cstdint>
#include <vector>

namespace kith {

/// axes[d][i] is coordinate d of point i; all axes are equally long.
struct PointSet {
  std::vector<std::vector<double>> axes;

  unsigned dimensions() const { return static_cast<unsigned>(axes.size()); }
};

/// The smallest box around points, by dimension. Nothing inside: lowest > highest.
struct Box {
  std::vector<double> lowest;
  std::vector<double> highest;

  double length(unsigned d) const { return highest[d] - lowest[d]; }
};

}  // namespace kith
