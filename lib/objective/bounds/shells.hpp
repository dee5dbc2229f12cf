// A machine as the groups of places that are near to each other.
#pragma once

#include <cstdint>
#include <vector>

#include "kith/machine.hpp"
#include "kith/objective.hpp"

namespace kith::bounds {

/// So many objects with so many places for ranks each.
struct Groups {
  std::uint64_t places = 0;
  std::uint64_t objects = 0;
};

/// Two ranks pay at least `distance` per unit of weight, unless they are together.
struct Shell {
  std::uint64_t distance = 0;
  std::uint64_t partners = 0;  ///< that a rank can be together with, at most
  /// Where "together" means on the same object: the objects, largest first, no size twice. Empty:
  /// together are ranks that are nearer than `distance`.
  std::vector<Groups> groups;
};

/// For a tree: one shell per level. For a network: the levels inside a node, the node, and then the
/// nodes within 1, 2, ... hops (grids of any size; any network of up to 512 allowed slots; else
/// only the nearest two nodes). Slots that may not be used are taken as usable where that is
/// simpler: then there is room for more partners. `ranks`: no shell that holds so many is needed.
std::vector<Shell> shells_of(const Machine& machine, Objective objective, std::uint32_t capacity,
                             std::uint32_t ranks);

}  // namespace kith::bounds
