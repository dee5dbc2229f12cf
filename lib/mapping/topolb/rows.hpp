// The table of f_est: rows of the tasks that have placed neighbours, columns of free slots.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "kith/error.hpp"
#include "mapping/topolb/free_slots.hpp"
#include "objective/wide.hpp"

namespace kith::topolb {

/// Smallest value of a row, on the lowest slot that has it.
template <class Value>
struct Cheapest {
  Value cost = 0;
  std::uint32_t slot = 0;  ///< index of FreeSlots
};

template <class Value>
Cheapest<Value> cheapest_of(const std::vector<Value>& costs, const FreeSlots& free) {
  Value least = costs[0];
  for (const Value cost : costs) least = std::min(least, cost);
  std::uint32_t slot = UINT32_MAX;
  const auto indices = free.indices();
  for (std::size_t c = 0; c < costs.size(); ++c) {
    if (costs[c] == least) slot = std::min(slot, indices[c]);
  }
  return {least, slot};
}

/// What a task costs on each free slot, with what the choice needs.
template <class Value>
struct Row {
  std::vector<Value> costs;  ///< by column; empty: no neighbour is placed
  Wide sum = 0;              ///< of costs
  Cheapest<Value> cheapest;

  void take_column(std::uint32_t column) {
    sum -= costs[column];
    FreeSlots::remove_column(costs, column);
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

  /// Throws Error (input) when so many further rows would exceed most_bytes.
  void require_room_for(std::uint64_t rows, const FreeSlots& free) const {
    const std::uint64_t needed = rows * free.size() * sizeof(Value);
    if (needed <= most_bytes && bytes_ + needed <= most_bytes) return;
    throw bad_input("--algorithm", "a problem whose table of estimates takes at most 4 GB",
                    std::to_string(rows_.size()) + " tasks and " + std::to_string(free.size()) +
                        " free slots (topocentlb needs no table)");
  }

  /// `costs(c)` is the value of column c.
  template <class Costs>
  void add(std::uint32_t task, const FreeSlots& free, Costs&& costs) {
    Row<Value>& row = rows_[task];
    row.costs.resize(free.size());
    for (std::uint32_t c = 0; c < free.size(); ++c) {
      row.costs[c] = costs(c);
      row.sum += row.costs[c];
    }
    bytes_ += row.costs.capacity() * sizeof(Value);
    tasks_.push_back(task);
  }

  /// Adds `factor` x `change` to a row; differences wrap around, results are not negative.
  void change(std::uint32_t task, Value factor, const std::vector<Value>& change,
              const FreeSlots& free) {
    Row<Value>& row = rows_[task];
    for (std::size_t c = 0; c < row.costs.size(); ++c) row.costs[c] += factor * change[c];
    row.sum = 0;
    for (const Value cost : row.costs) row.sum += cost;
    row.cheapest = cheapest_of(row.costs, free);
  }

  void remove(std::uint32_t task) {
    if (!has(task)) return;
    bytes_ -= rows_[task].costs.capacity() * sizeof(Value);
    rows_[task] = {};
    const auto found = std::ranges::find(tasks_, task);
    *found = tasks_.back();
    tasks_.pop_back();
  }

  /// To be called before `free` gives the slot up.
  void take_slot(std::uint32_t slot, std::uint32_t column) {
    stale_.clear();
    for (const std::uint32_t task : tasks_) {
      Row<Value>& row = rows_[task];
      row.take_column(column);
      if (row.cheapest.slot == slot) stale_.push_back(task);
    }
  }

  /// Looks for another slot where `taken` is still the cheapest. At least one must be free.
  void replace_cheapest(std::uint32_t taken, const FreeSlots& free) {
    for (const std::uint32_t task : stale_) {
      Row<Value>& row = rows_[task];
      if (row.cheapest.slot == taken) row.cheapest = cheapest_of(row.costs, free);
    }
  }

 private:
  std::vector<Row<Value>> rows_;
  std::vector<std::uint32_t> tasks_;
  std::vector<std::uint32_t> stale_;
  std::uint64_t bytes_ = 0;
};

}  // namespace kith::topolb
