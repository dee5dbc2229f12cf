// The result of a search for the slot where something costs least.
#pragma once

#include <cstdint>

namespace kith::topolb {

/// How the allowed slots are indexed here: 0 is the lowest of them, or the highest.
enum class SlotOrder { ascending, descending };

/// Least cost on any free slot, and the slot of lowest index that has it.
template <class Value>
struct Cheapest {
  Value cost = 0;
  std::uint32_t slot = 0;  ///< index among all allowed slots
};

}  // namespace kith::topolb
