// The free slots of a grid, for costs that are sums over its dimensions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kith/detail/network_machine.hpp"
#include "kith/machine.hpp"
#include "mapping/published/topolb/topolb.hpp"

namespace kith::topolb {

/// On a grid the distance from a slot is a sum over the dimensions, and so is any sum of distances.
/// The dimensions are cut in two: a slot is in row slot / width and at place slot % width of it. A
/// *field* has an entry for each row and then one for each place; the cost of a slot is the sum of
/// its two entries. So a field needs rows + width numbers instead of rows x width.
///
/// Like SlotColumns in all else.
class GridSlots {
 public:
  /// Grids of single slots, without trees in their nodes.
  static bool can_take(const Machine& machine);
  explicit GridSlots(const Machine& machine, SlotOrder order = SlotOrder::ascending);

  std::uint32_t entries() const { return rows_ + width_; }
  std::span<const std::uint32_t> free_slots_of() const { return free_of_; }
  std::uint32_t free_slots() const { return free_; }
  bool is_free(std::uint32_t slot) const { return is_free_[nodes_[slot]] != 0; }
  Slot slot(std::uint32_t index) const { return Slot(mirrored(nodes_[index])); }

  DistanceSums distance_sums() const;
  void distances_from(std::uint32_t slot, std::vector<std::uint64_t>& field) const;

  template <class Value>
  Value at(const std::vector<Value>& field, std::uint32_t slot) const {
    const std::uint32_t node = nodes_[slot];
    return field[node / width_] + field[rows_ + node % width_];
  }

  template <class Value>
  Cheapest<Value> cheapest(const std::vector<Value>& field) const {
    const Value* in_row = field.data() + rows_;
    const Value least_in_row = *std::min_element(in_row, in_row + width_);
    // Rows in ascending order: one that only might do as well as an earlier one cannot win.
    bool found = false;
    Value least = 0;
    std::uint32_t node = 0;
    for (std::uint32_t row = 0; row < rows_; ++row) {
      if ((found && field[row] + least_in_row >= least) || free_of_[row] == 0) continue;
      const std::uint8_t* is_free = is_free_.data() + std::size_t{row} * width_;
      for (std::uint32_t place = 0; place < width_; ++place) {
        const Value cost = field[row] + in_row[place];
        if (is_free[place] == 0 || (found && cost >= least)) continue;
        found = true;
        least = cost;
        node = row * width_ + place;
      }
    }
    return {least, index_of(node)};
  }

  std::optional<std::uint32_t> free_twin(std::uint32_t) const { return std::nullopt; }

  template <class Value>
  void shrink(std::vector<Value>&, std::uint32_t) const {}  // a field's length stays

  void take(std::uint32_t slot);

 private:
  /// A field made of one array for each dimension, by coordinate.
  std::vector<std::uint64_t> field_of(
      const std::vector<std::vector<std::uint64_t>>& by_coordinate) const;
  std::uint32_t index_of(std::uint32_t node) const;
  /// For a descending order the node numbers are reversed. This mirrors the grid in all dimensions
  /// and keeps all distances.
  std::uint32_t mirrored(std::uint32_t node) const {
    return order_ == SlotOrder::ascending ? node : grid_.nodes() - 1 - node;
  }

  const Machine& machine_;
  const GridNetwork& grid_;
  SlotOrder order_;
  std::uint32_t rows_ = 1;
  std::uint32_t width_ = 1;
  std::size_t cut_ = 0;                // dimensions from here on are those within a row
  std::vector<std::uint32_t> nodes_;   // of all allowed slots
  std::vector<std::uint8_t> is_free_;  // by node
  std::uint32_t free_ = 0;
  std::vector<std::uint32_t> free_of_;  // by entry
};

}  // namespace kith::topolb
