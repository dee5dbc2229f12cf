// The picture of the scaling table.
#pragma once

#include <string>
#include <vector>

#include "kith/mapper.hpp"

namespace kith::bench {

struct ScalingPoint {
  double ranks;
  double wall_s;
  double peak_mb;
  double quality;  ///< objective / lower bound, at least 1; 0: not known
};

/// One pattern at one effort with so many threads, by number of ranks.
struct ScalingSeries {
  std::string pattern;
  Effort effort;
  unsigned threads;
  std::vector<ScalingPoint> points{};
};

/// SVG: three panels, time, memory and quality over the number of ranks, all axes logarithmic.
/// Colours tell patterns, dashes efforts, marks threads.
std::string draw_scaling(const std::vector<ScalingSeries>& all);

}  // namespace kith::bench
