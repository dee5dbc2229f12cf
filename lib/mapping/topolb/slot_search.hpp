// Where a task costs least, its placed neighbours given.
#pragma once

#include <memory>
#include <span>

#include "kith/machine.hpp"
#include "kith/objective.hpp"
#include "kith/traffic.hpp"

namespace kith::topolb {

/// A placed neighbour of a task.
struct Anchor {
  Slot slot;
  Weight weight = 0;  ///< traffic between the two
};

/// The free slots of a machine, all allowed ones at first.
class SlotSearch {
 public:
  virtual ~SlotSearch() = default;
  /// The lowest free slot of those with the least sum of weight x distance. At least one is free.
  virtual Slot cheapest(std::span<const Anchor> anchors) = 0;
  virtual void take(Slot slot) = 0;
};

/// The fastest search that the machine has. The machine must outlive it; all weights of a task
/// together fit 64 bits.
std::unique_ptr<SlotSearch> make_slot_search(const Machine& machine, Objective objective);

}  // namespace kith::topolb
