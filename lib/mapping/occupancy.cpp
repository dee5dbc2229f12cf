#include "mapping/constraints.hpp"

#include <bit>
#include <utility>

namespace kith {

Occupancy::Occupancy(Mapping mapping)
    : mapping_(std::move(mapping)), next_(mapping_.ranks()), previous_(mapping_.ranks()) {
  rebuild();
}

void Occupancy::rebuild() {
  entries_.assign(std::bit_ceil(std::size_t{3} * mapping_.ranks() + 8), {});
  used_ = 0;
  for (std::uint32_t r = mapping_.ranks(); r-- > 0;) link(Rank(r), mapping_.slot_of[r]);
}

std::size_t Occupancy::find(Slot slot) const {
  const std::size_t mask = entries_.size() - 1;
  // Where all slots fit, neighbouring ones lie side by side in memory. Multiplying spreads others;
  // the high bits are the mixed ones.
  std::size_t i = slot.value;
  if (i > mask) i = (i * std::uint64_t{0x9e3779b97f4a7c15} >> 32) & mask;
  while (entries_[i].slot != slot && entries_[i].slot != no_slot) i = (i + 1) & mask;
  return i;
}

Occupancy::Entry& Occupancy::entry(Slot slot) {
  Entry& found = entries_[find(slot)];
  if (found.slot == no_slot) {
    found.slot = slot;
    ++used_;
  }
  return found;
}

void Occupancy::link(Rank r, Slot slot) {
  Entry& there = entry(slot);
  next_[r.value] = there.first;
  previous_[r.value] = no_rank;
  if (there.first != no_rank) previous_[there.first] = r.value;
  there.first = r.value;
  ++there.count;
}

void Occupancy::unlink(Rank r) {
  Entry& here = entries_[find(mapping_[r])];
  const std::uint32_t before = previous_[r.value];
  const std::uint32_t after = next_[r.value];
  if (before == no_rank) {
    here.first = after;
  } else {
    next_[before] = after;
  }
  if (after != no_rank) previous_[after] = before;
  --here.count;
}

void Occupancy::move(Rank r, Slot to) {
  unlink(r);
  mapping_.slot_of[r.value] = to;
  link(r, to);
  // Slots that were left stay in the table; too many of them and it is made anew.
  if (used_ > entries_.size() / 2) rebuild();
}

void Occupancy::swap(Rank a, Rank b) {
  const Slot at_a = mapping_[a];
  const Slot at_b = mapping_[b];
  move(a, at_b);
  move(b, at_a);
}

void Occupancy::swap_slots(Slot a, Slot b) {
  Entry& at_a = entry(a);
  Entry& at_b = entry(b);
  std::swap(at_a.first, at_b.first);
  std::swap(at_a.count, at_b.count);
  for (std::uint32_t r = at_a.first; r != no_rank; r = next_[r]) mapping_.slot_of[r] = a;
  for (std::uint32_t r = at_b.first; r != no_rank; r = next_[r]) mapping_.slot_of[r] = b;
  if (used_ > entries_.size() / 2) rebuild();
}

}  // namespace kith
