// Places on a lattice, given to one rank after another next to those that have theirs.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "graph/grid_detection/axes.hpp"
#include "graph/grid_detection/connected_graph.hpp"
#include "kith/traffic.hpp"

namespace kith {

/// Neighbours by rank, ascending: the pairs of at least some weight.
class NeighbourLists {
 public:
  NeighbourLists(const TrafficGraph& graph, Weight least, const StopCheck& stop);

  std::uint32_t ranks() const { return static_cast<std::uint32_t>(offsets_.size() - 1); }
  std::uint64_t pairs() const { return neighbours_.size() / 2; }
  std::span<const std::uint32_t> of(std::uint32_t rank) const {
    return {neighbours_.data() + offsets_[rank], offsets_[rank + std::size_t{1}] - offsets_[rank]};
  }
  bool adjacent(std::uint32_t a, std::uint32_t b) const;

 private:
  std::vector<std::uint64_t> offsets_{0};
  std::vector<std::uint32_t> neighbours_;
};

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
/// unrolled. Nothing where there is no such beginning,
/// or most pairs turn out to be no steps. Only ranks that are joined to the first one
/// get places. A neighbour more than `near` steps away is met around a ring: with usual_near, rings
/// of fewer than eight confuse it, with 2 much more is left to guess. O(pairs x dimensions^2 x log)
/// time.
std::optional<LatticePlaces> grow_on_lattice(const NeighbourLists& lists, unsigned dimensions,
                                             int near, const StopCheck& stop);
inline constexpr int usual_near = 6;

/// A box that is known, and about where in it each rank lies.
struct LatticeFrame {
  std::vector<int> extents;
  std::vector<bool> is_ring;
  std::vector<double> prior;  ///< ranks x dimensions, in steps from 0 to the extent
};

/// The same inside the box, each rank within a few steps of its prior place: where many pairs are
/// missing neighbours alone leave too much open.
std::optional<LatticePlaces> grow_in_frame(const NeighbourLists& lists, const LatticeFrame& frame,
                                           const StopCheck& stop);

}  // namespace kith
