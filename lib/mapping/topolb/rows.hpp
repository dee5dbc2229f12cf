// The table of f_est: a row for each task that has placed neighbours.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kith/error.hpp"
#include "mapping/topolb/cheapest.hpp"
#include "objective/wide.hpp"

namespace kith::topolb {

/// What a task costs on each free slot, with what the choice needs. `Slots`: SlotColumns or
/// GridSlots.
template <class Value>
struct Row {
  std::vector<Value> costs;  ///< a field of Slots; empty: no neighbour is placed
  Wide sum = 0;              ///< over the free slots
  Cheapest<Value> cheapest;  ///< of several slots with that cost any one

  template <class Slots>
  void refresh(const Slots& slots) {
    sum = 0;
    const auto free = slots.free_slots_of();
    for (std::size_t e = 0; e < costs.size(); ++e) sum += Wide{costs[e]} * free[e];
    cheapest = slots.cheapest(costs);
  }

  /// To be called before `slots` gives the slot up.
  template <class Slots>
  void lose(std::uint32_t slot, const Slots& slots) {
    sum -= slots.at(costs, slot);
    slots.shrink(costs, slot);
  }

  /// Before the cheapest slot is taken: another of the same cost takes its part if one is at hand.
  template <class Slots>
  bool pass_on(const Slots& slots) {
    const auto twin = slots.free_twin(cheapest.slot);
    if (twin) cheapest.slot = *twin;
    return twin.has_value();
  }
};

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
    throw bad_input(
        "--algorithm",
        "for " + std::string(algorithm) + " a problem whose table of estimates takes at most 4 GB",
        std::to_string(rows_.size()) + " tasks and " + std::to_string(entries) +
            " places for each (topocentlb needs no table)");
  }

  /// `costs` without sum and cheapest: change() is to follow.
  void add(std::uint32_t task, std::vector<Value> costs) {
    rows_[task].costs = std::move(costs);
    bytes_ += rows_[task].costs.capacity() * sizeof(Value);
    tasks_.push_back(task);
  }

  /// Adds `factor` x `change` to a row; differences wrap around, results are not negative.
  template <class Slots>
  void change(std::uint32_t task, Value factor, const std::vector<Value>& change,
              const Slots& slots) {
    Row<Value>& row = rows_[task];
    for (std::size_t e = 0; e < row.costs.size(); ++e) row.costs[e] += factor * change[e];
    row.refresh(slots);
  }

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
    stale_.clear();
    for (const std::uint32_t task : tasks_) {
      Row<Value>& row = rows_[task];
      row.lose(slot, slots);
      if (row.cheapest.slot == slot && !row.pass_on(slots)) stale_.push_back(task);
    }
  }

  /// Looks for another slot where `taken` is still the cheapest. At least one must be free.
  template <class Slots>
  void replace_cheapest(std::uint32_t taken, const Slots& slots) {
    for (const std::uint32_t task : stale_) {
      Row<Value>& row = rows_[task];
      if (row.cheapest.slot == taken) row.cheapest = slots.cheapest(row.costs);
    }
  }

 private:
  std::vector<Row<Value>> rows_;
  std::vector<std::uint32_t> tasks_;
  std::vector<std::uint32_t> stale_;  // tasks whose cheapest slot was taken
  std::uint64_t bytes_ = 0;
};

}  // namespace kith::topolb
