// From objects of hwloc to groupings of slots.
#pragma once

#include <hwloc.h>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "kith/detail/tree_machine.hpp"

namespace kith {

// From "which slots share what" to a tree.

/// One level of grouping: slot i belongs to object group_of[i]. Ids are any numbers; slots of one
/// object of a level must share their objects of the levels above.
struct Grouping {
  std::string name;
  std::vector<std::uint32_t> group_of;
  LevelCost measured = {};  ///< of slots that meet here
};

/// Keeps the levels that distinguish slots and lays out the tree. `levels` top down; the first must
/// hold all slots in one object. Private levels go: one that repeats the grouping of the level
/// above it, or that has each slot alone. Objects, and slots within them, stand in the order of
/// their lowest slot. Fills children, names, measured and slot_of_leaf of the answer. Of levels
/// that group alike the name is the upper one's, but slots meet in the lowest: its measurements
/// count, where it has any.
TreeDescription tree_from_groupings(std::vector<Grouping> levels, std::uint32_t slots);

/// Collects, slot by slot, the chain of objects above it, and fills the levels that a chain lacks:
/// a missing level belongs to the next object down the chain, so that what parts there has already
/// parted above.
class PathGroupings {
 public:
  explicit PathGroupings(std::vector<std::string> level_names);

  /// One object of a chain. `identity` is unique among the objects of all levels.
  struct Step {
    std::size_t level;
    std::uint64_t identity;
  };
  /// Adds the next slot; `chain` top down, level ascending; may be empty.
  void add_slot(const std::vector<Step>& chain);
  std::uint32_t slots() const { return slots_; }
  /// The levels in the order of the names. Leaves this empty.
  std::vector<Grouping> take() { return std::move(levels_); }

 private:
  std::vector<Grouping> levels_;
  std::unordered_map<std::uint64_t, std::uint32_t> ids_;
  std::uint32_t slots_ = 0;
};

/// A normal object of one topology, by its place there.
struct HwlocStep {
  unsigned depth;
  unsigned logical_index;
  /// Unique in the topology, below 2^32 (load_xml() sees to the ranges), not 0 except for the root.
  std::uint64_t identity() const { return (std::uint64_t{depth} << 24) | logical_index; }
};
/// The objects above and including `object`, top down, without the root.
std::vector<HwlocStep> chain_above(const hwloc_obj* object);

}  // namespace kith
