// A mapping: which slot each rank gets.
#pragma once

#include <vector>

#include "kith/detail/types.hpp"
#include "kith/machine.hpp"

namespace kith {

/// slot_of[r] is the slot of rank r. Length: ranks.
struct Mapping {
  std::vector<Slot> slot_of;

  std::uint32_t ranks() const { return static_cast<std::uint32_t>(slot_of.size()); }
  Slot operator[](Rank r) const { return slot_of[r.value]; }
  bool operator==(const Mapping&) const = default;
};

/// Rank i on the i-th allowed slot; with more ranks than slots, spread evenly in blocks (the first
/// ranks % slots slots get one more). Throws Error (input) when capacity x slots < ranks.
Mapping identity_mapping(std::uint32_t ranks, const Machine& machine, std::uint32_t capacity);

/// How many ranks have a place in `from` and another one in `to`. Both of the same ranks; no_slot
/// in `from`: no place.
std::uint64_t moved_ranks(const Mapping& from, const Mapping& to);

/// Throws Error (internal) naming the first rank that is on no allowed slot, or slot that is over
/// capacity. Every mapper's answer passes here before anyone sees it.
void check_mapping(const Mapping& mapping, const Machine& machine, std::uint32_t capacity);

}  // namespace kith
