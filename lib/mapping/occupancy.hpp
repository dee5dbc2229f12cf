// Who is on which slot.
#pragma once

#include <cstdint>
#include <vector>

#include "kith/mapping.hpp"

namespace kith {

/// A mapping with its inverse. Memory is proportional to the ranks, whatever the machine's size.
class Occupancy {
 public:
  /// Takes over `mapping`; each rank must be on a slot.
  explicit Occupancy(Mapping mapping);

  const Mapping& mapping() const { return mapping_; }
  Mapping take() { return std::move(mapping_); }

  /// The first rank on `slot`, no_rank when it is free; next() walks on, in no particular order.
  std::uint32_t first(Slot slot) const { return entries_[find(slot)].first; }
  std::uint32_t next(std::uint32_t rank) const { return next_[rank]; }
  std::uint32_t count(Slot slot) const { return entries_[find(slot)].count; }

  void move(Rank r, Slot to);
  void swap(Rank a, Rank b);
  /// All ranks of one slot go to the other and back.
  void swap_slots(Slot a, Slot b);

  static constexpr std::uint32_t no_rank = no_slot.value;

 private:
  struct Entry {
    Slot slot = no_slot;
    std::uint32_t first = no_rank;
    std::uint32_t count = 0;
  };
  /// Where `slot` is or would be.
  std::size_t find(Slot slot) const;
  Entry& entry(Slot slot);
  void link(Rank r, Slot slot);
  void unlink(Rank r);
  void rebuild();

  Mapping mapping_;
  std::vector<std::uint32_t> next_;
  std::vector<std::uint32_t> previous_;
  std::vector<Entry> entries_;  // open addressing; size a power of two
  std::size_t used_ = 0;
};

}  // namespace kith
