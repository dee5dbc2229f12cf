// The best mapping there is, for a handful of ranks; symmetries of the slots make it affordable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "kith/detail/tree_machine.hpp"
#include "kith/machine.hpp"
#include "kith/mapper.hpp"
#include "kith/objective.hpp"
#include "mapping/budget.hpp"

namespace kith::exact {

struct ExactAnswer {
  Mapping mapping;
  /// Proven: no mapping that the options allow has a lower objective; where moves count
  /// (MapOptions::from), with what they cost, or as low a one and fewer moves.
  bool is_optimal = false;
};

/// Branch and bound from `start`, a mapping that the options allow: at most so many steps, one of
/// the budget's tests each. Rank after rank, those with most traffic to the ranks before first,
/// gets each slot that is not like another one. A branch ends where its sum, with what each rank
/// left costs at least on its best slot, can no longer win: to the ranks in place as it is, to the
/// others half of what their weights cost on the slots nearest to it (Gilmore, 1962; Lawler, 1963).
/// The answer is never worse than `start`.
///
/// Nothing where the problem is not small (12 ranks; 128 slots, of trees after those that no rank
/// could need), where the goal is no sum over pairs, `least` comes together with fixed ranks, or
/// sums might exceed 62 bits.
std::optional<ExactAnswer> search_exactly(const MapTask& problem, const Mapping& start,
                                          std::uint64_t most_steps);

// Slots that a machine cannot tell apart.

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
