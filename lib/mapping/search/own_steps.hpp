// Kith's own search plan: which steps its search takes, in which order.
#pragma once

#include <cstddef>
#include <vector>

#include "mapping/search/search.hpp"

namespace kith {

struct OwnSteps {
  std::vector<Step> steps;
  std::size_t at_least = 0;  ///< of them, whatever they cost
};

/// A division and its refinement, then more divisions, heavier ones, and refinement of the best.
/// Where even one division would cost too much for an effort of fast, swaps come first.
OwnSteps own_steps(const MapProblem& problem);

}  // namespace kith
