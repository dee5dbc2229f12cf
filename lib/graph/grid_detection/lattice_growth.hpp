// Places on a lattice, given to one rank after another next to those that have theirs.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "graph/grid_detection/axes.hpp"
#include "graph/grid_detection/connected_graph.hpp"
#include "graph/grid_detection/neighbour_lists.hpp"
#include "kith/traffic.hpp"

namespace kith {

using LatticePoint = std::array<int, max_grid_dimensions>;

struct LatticePlaces {
  unsigned dimensions = 0;
  std::vector<LatticePoint> of;  ///< by rank
  std::vector<bool> is_placed;   ///< by rank; no two on one point
  std::vector<bool> is_sure;  ///< by rank; the others lie where they or those before were guessed
  std::uint32_t placed = 0;
};

/// Begins where a rank has neighbours in all directions, told by the squares that they make, or in
/// one of each two opposite ones. Then each time the rank is placed whose place is clearest: next
/// to its neighbours, not next to strangers, and so that neighbours to come find room. A ring is
/// unrolled. `which`: of the beginnings there are, 0 the first. Nothing where there is no such one,
/// or most pairs turn out to be no steps. Only ranks that are joined to the first one
/// get places. A neighbour more than `near` steps away is met around a ring: with usual_near, rings
/// of fewer than eight confuse it, with 2 much more is left to guess. O(pairs x dimensions^2 x log)
/// time.
std::optional<LatticePlaces> grow_on_lattice(const NeighbourLists& lists, unsigned dimensions,
                                             int near, std::size_t which, const StopCheck& stop);
inline constexpr int usual_near = 6;

/// A box that is known, and about where in it each rank lies.
struct LatticeFrame {
  std::vector<int> extents;
  std::vector<bool> is_ring;
  std::vector<double> prior;  ///< ranks x dimensions, in steps from 0 to the extent
  int slack = 0;              ///< layers beyond the ends that may be used, too
};

/// The same inside the box, each rank within a few steps of its prior place: where many pairs are
/// missing neighbours alone leave too much open.
std::optional<LatticePlaces> grow_in_frame(const NeighbourLists& lists, const LatticeFrame& frame,
                                           const StopCheck& stop);

}  // namespace kith
