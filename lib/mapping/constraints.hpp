// What a mapping has to keep (fixed ranks, capacities, ranks on every slot), and the repairs
// that make it so.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "kith/mapper.hpp"
#include "kith/mapping.hpp"
#include "mapping/budget.hpp"

namespace kith {

/// Throws Error (input): a rank or slot that does not exist, a slot that is not allowed, a rank on
/// two slots, more ranks on a slot than its capacity.
void check_fixed_ranks(const MapTask& problem);

/// Whether each fixed rank is on its slot.
bool keeps_fixed_ranks(const Mapping& mapping, std::span<const FixedRank> fixed);

/// Puts each fixed rank on its slot. In a tree, whole subtrees of equal shape change places where
/// no fixed rank is in the way, which costs nothing; else the rank moves, or changes places with
/// the rank there that loses least. Precondition: check_fixed_ranks() passed.
Mapping place_fixed_ranks(const MapTask& problem, Mapping mapping);

/// Moves ranks from overfull slots to free ones until no slot has more than its capacity: always
/// the rank and the slot near to its neighbours that cost least.
/// `places`: the allowed slots that may be taken, with room for all ranks.
Mapping place_surplus(const MapTask& problem, Mapping mapping, std::span<const Slot> places);

// Problems that no algorithm can map, and ranks for slots that have too few.

/// Throws Error (input): ranks without room, contradictory fixed ranks, loads or coordinates of
/// another number of ranks, weights whose sum exceeds 64 bits. map_ranks() begins with it.
void check_problem(const MapProblem& problem);

/// Moves ranks until each allowed slot has options.least of them: to each slot that is short, from
/// those nearby that have more, the one that costs least. Fixed ranks that are in place stay; what
/// they make impossible is left.
Mapping fill_short_slots(const MapTask& problem, Mapping mapping);

// Who is on which slot.

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
  /// first() and count().
  std::pair<std::uint32_t, std::uint32_t> at(Slot slot) const {
    const Entry& entry = entries_[find(slot)];
    return {entry.first, entry.count};
  }

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
