// Slots that a machine cannot tell apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "kith/detail/tree_machine.hpp"
#include "kith/machine.hpp"
#include "kith/objective.hpp"

namespace kith::exact {

/// Distances between some slots, by index.
class DistanceTable {
 public:
  DistanceTable(const Machine& machine, Objective objective, std::span<const Slot> slots);
  std::size_t slots() const { return slots_; }
  std::uint64_t operator()(std::size_t a, std::size_t b) const { return at_[a * slots_ + b]; }

 private:
  std::size_t slots_;
  std::vector<std::uint64_t> at_;
};

/// Which slots may be exchanged while those in use stay where they are.
class SlotSymmetry {
 public:
  /// The references must outlive this.
  SlotSymmetry(const Machine& machine, std::span<const Slot> slots, const DistanceTable& distance);

  /// For each slot the first one that is like it: a symmetry of the distances takes one to the
  /// other and leaves each slot of `in_use` (no slot twice) where it is. Slots in use are like
  /// themselves alone. Trees: whole subtrees without a slot in use, as far as their shapes are
  /// equal. Others: any symmetry while at most two slots are in use, as far as it is found in a
  /// bounded search; then only slots with the same distances to all others.
  const std::vector<std::size_t>& first_alike(std::span<const std::size_t> in_use);

 private:
  void find_shapes(const TreeMachine& tree, std::span<const Slot> slots);
  void find_twins();
  void label_by_shapes(std::span<const std::size_t> in_use, std::vector<std::size_t>& first) const;
  std::vector<std::size_t> orbits(std::span<const std::size_t> in_use) const;

  const DistanceTable& distance_;
  // Trees: of each depth from the root to the leaves, by slot: its object there, and an identity
  // of the shapes of the objects from there down to the slot.
  std::vector<std::vector<std::uint64_t>> object_;
  std::vector<std::vector<std::size_t>> chain_;
  std::vector<std::size_t> twin_;
  std::map<std::vector<std::size_t>, std::vector<std::size_t>> orbits_;  // by sorted slots in use
  std::vector<std::size_t> first_;
};

}  // namespace kith::exact
