// Is a new order worth it? The decision a job takes, and its reason in words.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kith/mapper.hpp"

namespace kith {

struct ReorderOptions {
  Algorithm algorithm;
  MapOptions map;          ///< capacity is 1: a job has one slot per launcher rank
  double min_gain = 0.02;  ///< fraction of the present objective that must be saved
  bool keep_rank0 = true;  ///< rank 0 stays on the slot of launcher rank 0
};

struct ReorderDecision {
  bool apply = false;
  Mapping mapping;  ///< the new order where apply, else identity
  Metrics before;
  Metrics after;  ///< of the proposed order, applied or not
  Goal goal;      ///< what was minimised
  std::string algorithm;
  std::string reason;  ///< one sentence for the user, numbers included, no newline
};

/// Maps `matrix` onto the first ranks() allowed slots' machine and decides. Never proposes an order
/// whose predicted objective is not below the present one. Throws Error where the problem is
/// unusable (more ranks than slots, ...).
ReorderDecision decide_reorder(const TrafficMatrix& matrix, const Machine& machine,
                               const ReorderOptions& options);

}  // namespace kith
