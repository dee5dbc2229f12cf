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
  /// How often one refinement of all pairs of parts may look at each edge. Meshes need 8; where all
  /// parts talk to each other each round takes as many as there are parts.
  unsigned sweeps = 200;
};

/// Measured on trees of four levels and nine patterns of 4096 ranks: 2.5 microseconds an edge; the
/// objective is 9% above heavy_trials.
inline constexpr Trials light_trials{.starts = 4, .passes = 2, .patience = 100};
/// 9 microseconds an edge, heavy tails 17; 4% above.
inline constexpr Trials usual_trials{.partitions = 2, .cycles = 3};
/// 36 microseconds an edge, heavy tails 90.
inline constexpr Trials heavy_trials{.partitions = 12, .cycles = 14};

}  // namespace kith::multilevel
