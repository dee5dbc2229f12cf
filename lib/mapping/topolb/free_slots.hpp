// The slots that are still free, side by side.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "kith/types.hpp"

namespace kith::topolb {

/// Columns 0 .. size()-1 of a table. When a slot is taken, the last column moves to its place.
class FreeSlots {
 public:
  /// `slots` ascending.
  explicit FreeSlots(std::vector<Slot> slots) : slots_(std::move(slots)) {
    column_of_.reserve(slots_.size());
    for (std::uint32_t i = 0; i < slots_.size(); ++i) column_of_.push_back(i);
    indices_ = column_of_;
    all_ = slots_;
  }

  std::uint32_t size() const { return static_cast<std::uint32_t>(slots_.size()); }
  /// The slot of each column.
  std::span<const Slot> slots() const { return slots_; }
  /// The slot of each column by its index among all slots given, ascending like the slots.
  std::span<const std::uint32_t> indices() const { return indices_; }
  Slot slot(std::uint32_t index) const { return all_[index]; }
  bool is_free(std::uint32_t index) const { return column_of_[index] != taken; }

  /// Of a free slot.
  std::uint32_t column_of(std::uint32_t index) const { return column_of_[index]; }

  void take(std::uint32_t index) {
    const std::uint32_t column = std::exchange(column_of_[index], taken);
    const std::uint32_t last = indices_.back();
    if (last != index) column_of_[last] = column;
    remove_column(indices_, column);
    remove_column(slots_, column);
  }

  /// What take() does to the columns, for a row of a table.
  template <class Value>
  static void remove_column(std::vector<Value>& row, std::uint32_t column) {
    row[column] = row.back();
    row.pop_back();
  }

 private:
  static constexpr std::uint32_t taken = UINT32_MAX;
  std::vector<Slot> slots_;
  std::vector<Slot> all_;
  std::vector<std::uint32_t> indices_;
  std::vector<std::uint32_t> column_of_;
};

}  // namespace kith::topolb
