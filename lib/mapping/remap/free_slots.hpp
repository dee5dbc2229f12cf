// Slots with room, of machines that may have very many.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "kith/machine.hpp"

namespace kith {

/// Allowed slots in the order in which the machine puts neighbours side by side: a tree's leaves
/// from left to right, else by number. Memory: 16 bytes for each rank placed; on trees whose slots
/// are not in leaf order also 4 for each allowed slot. Holds a reference to the machine.
class FreeSlots {
 public:
  /// All are empty and have room for `capacity` ranks.
  FreeSlots(const Machine& machine, std::uint32_t capacity);

  /// Takes a place on an allowed slot; false, and nothing taken, where none is left.
  bool take(Slot slot);
  bool has_room(Slot slot) const;
  /// Slots with room.
  std::uint64_t size() const { return size_; }
  /// The nearest with room from `slot` on, an existing one, to the right and to the left of it.
  std::optional<Slot> right_of(Slot slot);
  std::optional<Slot> left_of(Slot slot);
  /// The first with room. Precondition: size() > 0.
  Slot first();
  /// All of them, in order. O(allowed slots).
  std::vector<Slot> all() const;

 private:
  /// Ways along full slots, shortened as they are walked.
  using Skips = std::unordered_map<std::uint64_t, std::uint64_t>;
  static std::uint64_t follow(Skips& skips, std::uint64_t position);
  /// Positions are 1 .. allowed slots, so that 0 and allowed slots + 1 are the ends.
  std::uint64_t position(Slot slot) const;
  std::optional<Slot> at(std::uint64_t position) const;

  const Machine& machine_;
  const std::uint32_t capacity_;
  std::vector<std::uint32_t> leaves_;  // allowed ones, where slots are not in their order
  std::unordered_map<std::uint64_t, std::uint32_t> taken_;
  Skips right_;
  Skips left_;
  std::uint64_t size_;
};

}  // namespace kith
