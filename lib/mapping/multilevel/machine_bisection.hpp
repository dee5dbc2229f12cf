// Ranks and slots divided together, two parts at a time; first the slots into two halves.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "kith/machine.hpp"
#include "kith/mapper.hpp"
#include "kith/objective.hpp"
#include "mapping/budget.hpp"
#include "mapping/multilevel/multilevel.hpp"

namespace kith::multilevel {

/// Dual recursive bipartitioning (Pellegrini, Roman: "Scotch: A Software Package for Static Mapping
/// by Dual Recursive Bipartitioning", HPCN 1996) with our own bisection: all regions of one depth
/// are divided before the next, and each rank is drawn to where its partners in other regions are.
/// Any machine. Of many more slots than are needed close ones are taken (see close_slots.hpp);
/// regions are filled one after the other where there are more places than ranks.
/// Each bisection takes as many units of work as its part has ranks and edges from `budget` (null:
/// unlimited). Nothing where the budget did not last: half a division is no mapping.
std::optional<Mapping> bisect_machine(const MapTask& problem, const Trials& trials,
                                      std::uint64_t seed, Budget* budget);

// How the slots of a machine fall apart, two parts at a time.

/// Slots begin .. end-1 of the order that Halves keeps.
struct Region {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t slots() const { return end - begin; }
  bool operator==(const Region&) const = default;
};

/// An order of slots that split() refines: near slots come to lie together.
class Halves {
 public:
  /// Grids are cut across their longest side, nodes along their trees; elsewhere each slot joins
  /// the nearer of two far ones. `slots` of the machine, which must outlive the answer.
  static std::unique_ptr<Halves> of(const Machine& machine, Objective objective,
                                    std::vector<Slot> slots);

  virtual ~Halves() = default;
  std::span<const Slot> slots() const { return slots_; }
  Region all() const { return {0, static_cast<std::uint32_t>(slots_.size())}; }
  /// Reorders a region of at least two slots and returns its first part, neither empty nor all; the
  /// second is the rest.
  virtual Region split(Region region) = 0;
  /// About what the objective charges between slots of two regions.
  virtual double distance(Region a, Region b) const = 0;

 protected:
  explicit Halves(std::vector<Slot> slots) : slots_(std::move(slots)) {}
  std::vector<Slot> slots_;
};

}  // namespace kith::multilevel
