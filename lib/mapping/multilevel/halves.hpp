// How the slots of a machine fall apart, two parts at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "kith/machine.hpp"
#include "kith/objective.hpp"

namespace kith::multilevel {

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
