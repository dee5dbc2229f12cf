// What others reached on instances that anyone can make, as quoted.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "mapper_tables/instance.hpp"

namespace kith::bench {

/// What a mapper reached somewhere else: CPU seconds of one thread of another machine.
struct Quoted {
  std::string name;
  double ratio;      ///< of identity, or of best_known where relative_to_best
  double cpu_s = 0;  ///< 0: not known
};

struct ReferenceLine {
  Instance instance;
  double identity = 0;     ///< 0: not quoted
  double best_known = 0;   ///< an objective; 0: none is known
  double lower_bound = 0;  ///< quoted; 0: none
  std::vector<Quoted> rivals{};
  bool relative_to_best = false;  ///< rivals' ratios
  double most_cpu_s = 0;          ///< of Kith, whatever others take; 0: no such limit
  std::uint64_t most_mb = 0;      ///< of Kith; 0: no such limit
  double tolerance = 0;           ///< above best_known that still counts as reached: 0.03
};

std::vector<ReferenceLine> reference_lines();

}  // namespace kith::bench
