#pragma once

#include <cstdint>

namespace kith::multilevel {

/// How much to try.
struct Trials {
  unsigned starts = 8;           ///< of each bisection, at its coarsest graph
  unsigned partitions = 1;       ///< into all parts, the best of which is kept
  unsigned passes = 4;           ///< of refinement on each level
  std::uint32_t patience = 200;  ///< moves without a better state
  unsigned cycles = 0;           ///< combinations of two of the partitions, or of one with itself
};

/// Time on a tree of four levels and quality of a division, on meshes and heavy tails of 4096
/// ranks: 3 microseconds an edge; the objective is 7% above heavy_trials (unstructured meshes:
/// 10%).
inline constexpr Trials light_trials{.starts = 4, .passes = 2, .patience = 100};
/// 8 microseconds an edge; 3% above.
inline constexpr Trials usual_trials{.partitions = 2, .cycles = 3};
/// 35 microseconds an edge.
inline constexpr Trials heavy_trials{.partitions = 12, .cycles = 14};

}  // namespace kith::multilevel
