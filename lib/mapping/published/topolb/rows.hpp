// The table of f_est: a row for each task that has placed neighbours.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kith/detail/types.hpp"
#include "kith/error.hpp"
#include "mapping/published/topolb/topolb.hpp"
#include "objective/wide.hpp"

namespace kith::topolb {

/// What a task costs on each free slot, with what the choice needs. `Slots`: SlotColumns or
/// GridSlots.
template <class Value>
struct Row {
  std::vector<Value> costs;  ///< a field of Slots; empty: no neighbour is placed
  Wide sum = 0;              ///< over the free slots
  Cheapest<Value> cheapest;  ///< of several slots with that cost any one
  bool is_taken = false;     ///< that slot is: nothing free costs less, but maybe more

  template <class Slots>
  void refresh(const Slots& slots) {
    sum = sum_over_free(costs, slots);
    find_cheapest(slots);
  }

  template <class Slots>
  void find_cheapest(const Slots& slots) {
    cheapest = slots.cheapest(costs);
    is_taken = false;
  }

  /// To be called before `slots` gives the slot up.
  template <class Slots>
  void lose(std::uint32_t slot, const Slots& slots) {
    sum -= slots.at(costs, slot);
    if (cheapest.slot == slot) pass_on(slots);
    slots.shrink(costs, slot);
  }

  /// Another slot of the same cost takes the part of the cheapest if one is at hand.
  template <class Slots>
  void pass_on(const Slots& slots) {
    const auto twin = slots.free_twin(cheapest.slot);
    if (twin) cheapest.slot = *twin;
    is_taken = !twin.has_value();
  }
};

/// Of a field. What wraps around stays right modulo 2^128 where entries are 128 bits wide.
template <class Value, class Slots>
Wide sum_over_free(const std::vector<Value>& field, const Slots& slots) {
  const auto free = slots.free_slots_of();
  Wide sum = 0;
  for (std::size_t e = 0; e < field.size(); ++e) sum += Wide{field[e]} * free[e];
  return sum;
}

/// Only what a taken slot and a placed task change is changed.
template <class Value>
class Rows {
 public:
  static constexpr std::uint64_t most_bytes = std::uint64_t{4} << 30;

  explicit Rows(std::uint32_t tasks) : rows_(tasks) {}

  /// Tasks that have a row, in no order.
  std::span<const std::uint32_t> tasks() const { return tasks_; }
  const Row<Value>& of(std::uint32_t task) const { return rows_[task]; }
  bool has(std::uint32_t task) const { return !rows_[task].costs.empty(); }

  /// Throws Error (input), in the name of `algorithm`, when so many further rows of so many entries
  /// would exceed most_bytes.
  void require_room_for(std::uint64_t rows, std::uint64_t entries,
                        std::string_view algorithm) const {
    const std::uint64_t needed = rows * entries * sizeof(Value);
    if (needed <= most_bytes && bytes_ + needed <= most_bytes) return;
    throw bad_argument(
        "algorithm",
        "for " + std::string(algorithm) + " a problem whose table of estimates takes at most 4 GB",
        std::to_string(rows_.size()) + " tasks and " + std::to_string(entries) +
            " places for each (topocentlb needs no table)");
  }

  /// `costs` without the cheapest: change() is to follow.
  void add(std::uint32_t task, std::vector<Value> costs, Wide sum) {
    rows_[task].costs = std::move(costs);
    rows_[task].sum = sum;
    bytes_ += rows_[task].costs.capacity() * sizeof(Value);
    tasks_.push_back(task);
  }

  /// Adds `factor` x `change` to a row; `sum` is that of `change` over the free slots. Differences
  /// wrap around, results are not negative.
  template <class Slots>
  void change(std::uint32_t task, Weight factor, const std::vector<Value>& change, Wide sum,
              const Slots& slots) {
    Row<Value>& row = rows_[task];
    const auto by = static_cast<Value>(factor);
    for (std::size_t e = 0; e < row.costs.size(); ++e) row.costs[e] += by * change[e];
    row.sum += factor * sum;
    row.find_cheapest(slots);
    effort_ += 2 * row.costs.size();
  }

  /// Where the cheapest slot is taken, finds what is cheapest now.
  template <class Slots>
  void find_cheapest(std::uint32_t task, const Slots& slots) {
    if (!rows_[task].is_taken) return;
    rows_[task].find_cheapest(slots);
    effort_ += rows_[task].costs.size();
  }

  /// What all that took, in entries of rows looked at: some nanoseconds each.
  std::uint64_t effort() const { return effort_; }

  void remove(std::uint32_t task) {
    if (!has(task)) return;
    bytes_ -= rows_[task].costs.capacity() * sizeof(Value);
    rows_[task] = {};
    const auto found = std::ranges::find(tasks_, task);
    *found = tasks_.back();
    tasks_.pop_back();
  }

  /// To be called before `slots` gives the slot up.
  template <class Slots>
  void lose(std::uint32_t slot, const Slots& slots) {
    constexpr std::uint64_t row_effort = 8;  // a row is far from the one before it in memory
    for (const std::uint32_t task : tasks_) rows_[task].lose(slot, slots);
    effort_ += row_effort * tasks_.size();
  }

 private:
  std::vector<Row<Value>> rows_;
  std::vector<std::uint32_t> tasks_;
  std::uint64_t bytes_ = 0;
  std::uint64_t effort_ = 0;
};

}  // namespace kith::topolb
