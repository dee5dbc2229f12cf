// In which order a heatmap has the ranks along its axes.
#pragma once

#include <cstdint>
#include <vector>

#include "kith/machine.hpp"
#include "kith/mapping.hpp"

namespace kith {

/// A permutation of the ranks, both ways round; each array has one item per rank.
struct RankAxis {
  std::vector<std::uint32_t> position_of;  ///< of rank r
  std::vector<Rank> rank_at;               ///< at position p

  std::uint32_t ranks() const { return static_cast<std::uint32_t>(rank_at.size()); }
  bool is_identity() const;
};

/// Ranks by number: for traffic without a machine.
RankAxis axis_by_rank(std::uint32_t ranks);

/// Ranks by where they sit, those of one slot by number: neighbours in the machine are neighbours
/// on the axis, so that traffic inside a host is a block on the diagonal.
RankAxis axis_by_place(const Mapping& mapping, const Machine& machine);

/// Where a slot stands when the slots of each node, socket, ... follow one another: in a tree its
/// leaf from left to right, else its own number.
std::uint32_t place_of(const Machine& machine, Slot slot);

}  // namespace kith
