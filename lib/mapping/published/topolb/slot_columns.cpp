#include "mapping/published/topolb/slot_columns.hpp"

#include <unordered_map>
#include <utility>

#include "kith/detail/network_machine.hpp"
#include "kith/detail/tree_machine.hpp"
#include "objective/wide.hpp"

namespace kith::topolb {
namespace {

/// Slots of equal keys are equally far from all others.
std::uint64_t twin_key(const Machine& machine, Slot slot) {
  if (const TreeMachine* tree = machine.as_tree()) {
    return tree->parent(tree->depth(), tree->leaf_of_slot(slot));
  }
  const NetworkMachine* network = machine.as_network();
  if (network == nullptr) return slot.value;
  if (const TreeMachine* tree = network->node_tree()) {
    const std::uint64_t node = slot.value / network->slots_per_node();
    const std::uint64_t leaf = slot.value % network->slots_per_node();
    return node * tree->objects(tree->depth() - 1) + tree->parent(tree->depth(), leaf);
  }
  if (const auto* dragonfly = dynamic_cast<const DragonflyNetwork*>(&network->network())) {
    return slot.value / dragonfly->nodes_per_router();
  }
  return slot.value;
}

}  // namespace

SlotColumns::SlotColumns(const Machine& machine, Objective objective, SlotOrder order)
    : machine_(machine),
      objective_(objective),
      all_(machine.allowed().to_vector()),
      taken_(all_.size()),
      free_(static_cast<std::uint32_t>(all_.size())) {
  if (order == SlotOrder::descending) std::ranges::reverse(all_);
  std::unordered_map<std::uint64_t, std::uint32_t> class_of_key;
  std::vector<std::uint32_t> last;  // slot of each class so far
  next_in_class_.resize(all_.size(), UINT32_MAX);
  for (std::uint32_t s = 0; s < free_; ++s) {
    const auto here = static_cast<std::uint32_t>(lowest_.size());
    const auto [found, is_new] = class_of_key.try_emplace(twin_key(machine, all_[s]), here);
    class_of_.push_back(found->second);
    if (is_new) {
      column_of_.push_back(here);
      lowest_.push_back(s);
      lowest_slot_.push_back(all_[s]);
      free_of_.push_back(1);
      last.push_back(s);
    } else {
      next_in_class_[std::exchange(last[found->second], s)] = s;
      ++free_of_[found->second];
    }
  }
}

DistanceSums SlotColumns::distance_sums() const {
  DistanceSums field;
  if (const TreeMachine* tree = machine_.as_tree()) {
    const DistanceSums by_slot = sums_on_tree(TreeDistance(*tree, objective_), all_);
    for (const std::uint32_t slot : lowest_) field.of.push_back(by_slot.of[slot]);
    field.longest = by_slot.longest;
    return field;
  }
  std::vector<std::uint64_t> row;
  for (std::size_t c = 0; c < lowest_.size(); ++c) {
    distances_from(lowest_[c], row);
    if (const std::uint32_t twin = next_in_class_[lowest_[c]]; twin != UINT32_MAX) {
      row[c] = objective_ == Objective::hop_bytes ? machine_.hops(all_[lowest_[c]], all_[twin])
                                                  : machine_.cost(all_[lowest_[c]], all_[twin]);
    }
    Wide sum = 0;
    for (std::size_t other = 0; other < row.size(); ++other) {
      sum += Wide{row[other]} * (free_of_[other] - (other == c ? 1 : 0));
      field.longest = std::max(field.longest, row[other]);
    }
    field.of.push_back(narrowed(sum, "distances"));
  }
  return field;
}

void SlotColumns::distances_from(std::uint32_t slot, std::vector<std::uint64_t>& field) const {
  field.resize(entries());
  topolb::distances_from(machine_, objective_, all_[slot], lowest_slot_, field);
}

void SlotColumns::take(std::uint32_t slot) {
  taken_[slot] = true;
  --free_;
  const std::uint32_t column = column_of_[class_of_[slot]];
  if (--free_of_[column] > 0) {
    if (lowest_[column] == slot) {
      lowest_[column] = next_in_class_[slot];
      lowest_slot_[column] = all_[lowest_[column]];
    } else {
      std::uint32_t before = lowest_[column];
      while (next_in_class_[before] != slot) before = next_in_class_[before];
      next_in_class_[before] = next_in_class_[slot];
    }
    return;
  }
  column_of_[class_of_[lowest_.back()]] = column;
  remove_column(lowest_, column);
  remove_column(lowest_slot_, column);
  remove_column(free_of_, column);
}

}  // namespace kith::topolb
