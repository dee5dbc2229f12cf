// From "which slots share what" to a tree.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kith/tree_machine.hpp"

namespace kith {

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

}  // namespace kith
