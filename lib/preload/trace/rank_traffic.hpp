// What one rank recorded, as it is gathered.
#pragma once

#include <string>
#include <vector>

#include "record/load.hpp"
#include "record/row.hpp"
#include "record/size_histogram.hpp"

namespace kith::runtime {

/// The phase that is open when the run ends, where it has no other name.
inline constexpr char last_phase[] = "end";

/// A part of the run, as one rank closed it. Equal names are one phase.
struct Phase {
  std::string name;
  record::Row row;
  record::Load load;
};

struct RankTraffic {
  record::Row total;
  record::Load load;  ///< of the whole run
  record::SizeHistogram sizes;
  std::vector<Phase> phases;  ///< in the order in which this rank closed them; may differ by rank
};

}  // namespace kith::runtime
