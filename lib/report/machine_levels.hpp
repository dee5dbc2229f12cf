// The levels of a machine from the whole down to a slot, for machines of every kind.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kith/machine.hpp"
#include "kith/objective.hpp"
#include "kith/tree_machine.hpp"

namespace kith {

/// Where two slots meet, as a reader is told.
struct LevelFact {
  std::string name;              ///< "network", "host", ... or "level0"
  std::uint64_t objects = 0;     ///< how many of them the machine has
  std::optional<Quantity> cost;  ///< of a byte between two slots that meet here; nothing: it varies
};

/// A tree has the levels of its own; a network one for all ways between its nodes, and below it
/// those of the tree in each node. The machine must outlive this.
class MachineLevels {
 public:
  explicit MachineLevels(const Machine& machine);

  std::span<const LevelFact> levels() const { return levels_; }  ///< top down, at least one
  std::size_t count() const { return levels_.size(); }
  /// The level at which two slots meet, below count(); count() for one slot. O(1).
  std::size_t of(Slot a, Slot b) const;

 private:
  void add_tree(const TreeMachine& tree, std::uint64_t trees, std::uint64_t cost_scale);

  const Machine& machine_;
  const TreeMachine* tree_ = nullptr;  // the machine itself, or what is in each node
  std::uint32_t slots_per_node_ = 0;   // of a network; 0: a tree
  std::vector<LevelFact> levels_;
};

}  // namespace kith
