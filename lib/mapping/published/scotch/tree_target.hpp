// The machine as Scotch sees it.
#pragma once

#include <cstdint>
#include <vector>

#include "objective/distance.hpp"

namespace kith {

/// A symmetric tree and which of its leaves are there.
struct ScotchTarget {
  std::vector<std::int64_t> arities;  ///< top down, none of them 1; empty: a single place
  std::vector<std::int64_t> links;    ///< what each level adds to the distance
  std::vector<std::int64_t> leaves;   ///< of the symmetric tree, ascending; empty: all
  std::vector<Slot> slot_of;          ///< the slot at each place, as many as there are places
};

/// The places that `ranks` ranks may take: all allowed slots, or, where there are more than twice
/// as many, the first of them from the left, rounded up to a whole object of the lowest level if
/// that is not too large. `ranks` is at least 1.
ScotchTarget scotch_target(const TreeDistance& distance, std::uint32_t ranks);

}  // namespace kith
