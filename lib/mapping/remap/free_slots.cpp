#include "mapping/remap/free_slots.hpp"

#include <algorithm>

#include "kith/tree_machine.hpp"

namespace kith {

FreeSlots::FreeSlots(const Machine& machine, std::uint32_t capacity)
    : machine_(machine), capacity_(capacity), size_(machine.allowed().size()) {
  const TreeMachine* tree = machine.as_tree();
  if (tree != nullptr && !tree->slots_in_leaf_order()) leaves_ = tree->allowed_leaves();
}

std::uint64_t FreeSlots::position(Slot slot) const {
  if (leaves_.empty()) return machine_.allowed().index_of(slot) + 1;
  const std::uint32_t leaf = machine_.as_tree()->leaf_of_slot(slot);
  return static_cast<std::uint64_t>(std::ranges::lower_bound(leaves_, leaf) - leaves_.begin()) + 1;
}

std::optional<Slot> FreeSlots::at(std::uint64_t position) const {
  if (position == 0 || position > machine_.allowed().size()) return std::nullopt;
  if (leaves_.empty()) return machine_.allowed().at(position - 1);
  return machine_.as_tree()->slot_of_leaf(leaves_[position - 1]);
}

std::uint64_t FreeSlots::follow(Skips& skips, std::uint64_t position) {
  std::uint64_t end = position;
  for (auto step = skips.find(end); step != skips.end(); step = skips.find(end)) {
    end = step->second;
  }
  for (auto step = skips.find(position); step != skips.end(); step = skips.find(position)) {
    position = step->second;
    step->second = end;
  }
  return end;
}

bool FreeSlots::has_room(Slot slot) const {
  const auto taken = taken_.find(position(slot));
  return taken == taken_.end() || taken->second < capacity_;
}

bool FreeSlots::take(Slot slot) {
  const std::uint64_t here = position(slot);
  std::uint32_t& taken = taken_[here];
  if (taken == capacity_) return false;
  if (++taken < capacity_) return true;
  right_[here] = here + 1;
  left_[here] = here - 1;
  --size_;
  return true;
}

std::optional<Slot> FreeSlots::right_of(Slot slot) {
  return at(follow(right_, position(slot)));
}

std::optional<Slot> FreeSlots::left_of(Slot slot) {
  // The position of a slot that is not allowed is that of the next one.
  return at(follow(left_, position(slot) - (machine_.allowed().contains(slot) ? 0 : 1)));
}

Slot FreeSlots::first() {
  return at(follow(right_, 1)).value();
}

std::vector<Slot> FreeSlots::all() const {
  std::vector<Slot> slots;
  for (std::uint64_t i = 1; i <= machine_.allowed().size(); ++i) {
    if (!right_.contains(i)) slots.push_back(*at(i));
  }
  return slots;
}

}  // namespace kith
