// The result of a search for the slot where something costs least.
#pragma once

#include <cstdint>

namespace kith::topolb {

/// Least cost on any free slot, and the lowest slot that has it.
template <class Value>
struct Cheapest {
  Value cost = 0;
  std::uint32_t slot = 0;  ///< index among all allowed slots, ascending like these
};

}  // namespace kith::topolb
