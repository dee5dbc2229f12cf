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

}  // namespace kith::multilevel
