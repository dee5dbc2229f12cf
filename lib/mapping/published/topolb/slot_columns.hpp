// The free slots of any machine, for costs that are given column by column.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kith/machine.hpp"
#include "kith/objective.hpp"
#include "mapping/published/topolb/topolb.hpp"

namespace kith::topolb {

/// Slots that are equally far from all others (cores of one cache, nodes of one switch) share a
/// column: whatever has been placed, what is free of them costs the same. A *field* is a vector
/// with a cost for each column. When the last slot of a column is taken, the last column moves to
/// its place.
///
/// GridSlots has the same members, for fields that are sums.
class SlotColumns {
 public:
  SlotColumns(const Machine& machine, Objective objective, SlotOrder order = SlotOrder::ascending);

  /// Length of a field.
  std::uint32_t entries() const { return static_cast<std::uint32_t>(lowest_.size()); }
  /// How many free slots have a part in each entry of a field.
  std::span<const std::uint32_t> free_slots_of() const { return free_of_; }
  std::uint32_t free_slots() const { return free_; }
  bool is_free(std::uint32_t slot) const { return !taken_[slot]; }
  Slot slot(std::uint32_t index) const { return all_[index]; }

  /// A field of the sums of the distances to all slots, taken or not. Nothing may be taken yet.
  DistanceSums distance_sums() const;
  /// Distances of the free slots from one that is taken.
  void distances_from(std::uint32_t slot, std::vector<std::uint64_t>& field) const;

  /// The cost of a free slot.
  template <class Value>
  Value at(const std::vector<Value>& field, std::uint32_t slot) const {
    return field[column_of_[class_of_[slot]]];
  }

  /// At least one slot must be free.
  template <class Value>
  Cheapest<Value> cheapest(const std::vector<Value>& field) const {
    Value least = field[0];
    for (const Value cost : field) least = std::min(least, cost);
    std::uint32_t slot = UINT32_MAX;
    for (std::size_t c = 0; c < field.size(); ++c) {
      if (field[c] == least) slot = std::min(slot, lowest_[c]);
    }
    return {least, slot};
  }

  /// Another free slot that is as far from all others as `slot`, which is the lowest of its column.
  std::optional<std::uint32_t> free_twin(std::uint32_t slot) const {
    if (next_in_class_[slot] == UINT32_MAX) return std::nullopt;
    return next_in_class_[slot];
  }

  /// What take(slot) is going to do to fields; to be called before it.
  template <class Value>
  void shrink(std::vector<Value>& field, std::uint32_t slot) const {
    const std::uint32_t column = column_of_[class_of_[slot]];
    if (free_of_[column] == 1) remove_column(field, column);
  }

  /// O(1) for the lowest free slot of a column, as all that cheapest() returns are; else O(length
  /// of the column).
  void take(std::uint32_t slot);

 private:
  template <class Value>
  static void remove_column(std::vector<Value>& field, std::uint32_t column) {
    field[column] = field.back();
    field.pop_back();
  }

  const Machine& machine_;
  Objective objective_;
  std::vector<Slot> all_;
  std::vector<bool> taken_;
  std::uint32_t free_ = 0;
  std::vector<std::uint32_t> class_of_;       // of each slot, from 0 on
  std::vector<std::uint32_t> next_in_class_;  // the next slot of the same class
  std::vector<std::uint32_t> column_of_;      // of each class
  // By column:
  std::vector<std::uint32_t> lowest_;   // its lowest free slot
  std::vector<Slot> lowest_slot_;       // the same as the machine numbers it
  std::vector<std::uint32_t> free_of_;  // how many are free
};

}  // namespace kith::topolb
