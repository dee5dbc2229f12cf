// The machine as a sequence of rounds in which pairs of places become one.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "mapping/slot_tree.hpp"

namespace kith {

inline constexpr std::uint32_t no_place = std::numeric_limits<std::uint32_t>::max();

/// What a place is after a round. Two places have the same type when the same merges, in the same
/// rounds, lead to them: then whatever fits one fits the other. Type 0 is a seat for one rank.
struct Place {
  std::uint32_t type = 0;
  std::uint32_t first = 0;          ///< a place before the round
  std::uint32_t second = no_place;  ///< another, of the same or a higher type; or none
};

/// Seats, one for each rank, and how they come together: rounds[0] makes its places of the seats,
/// the last one leaves a single place.
struct MergePlan {
  std::vector<Slot> slot_of_seat;  ///< from left to right
  std::vector<std::vector<Place>> rounds;
};

/// For `ranks` >= 1 ranks on the first slots from the left, as evenly as that many fit. Level by
/// level from the slots up, the places below an object merge two by two, as often as it takes until
/// one is left; an odd one waits for the next round.
MergePlan merge_plan(const SlotTree& tree, std::uint32_t ranks);

}  // namespace kith
