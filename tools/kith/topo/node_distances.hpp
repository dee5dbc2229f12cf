// How far the nodes of a network are from each other.
#pragma once

#include <cstdint>
#include <functional>

#include "kith/network_machine.hpp"
#include "kith/objective.hpp"

namespace kith::tools {

/// Calls `visit` with all pairs of nodes of a small network and returns true; else with many random
/// ones, the same each time, and returns false.
bool visit_node_pairs(const Network& network,
                      const std::function<void(std::uint32_t, std::uint32_t)>& visit);

/// Of the pairs that were added.
class Spread {
 public:
  /// `scale`: distances are in units of 1/scale.
  explicit Spread(std::uint64_t scale = 1) : scale_(scale) {}
  void add(std::uint64_t distance);

  std::uint64_t pairs() const { return pairs_; }
  // Preconditions: pairs() > 0.
  Quantity least() const { return {least_, scale_}; }
  Quantity most() const { return {most_, scale_}; }
  double average() const;

 private:
  std::uint64_t scale_;
  std::uint64_t least_ = UINT64_MAX;
  std::uint64_t most_ = 0;
  double sum_ = 0;
  std::uint64_t pairs_ = 0;
};

/// Without pairs where there is a single node. `exact`: of all pairs.
struct NodeDistances {
  Spread hops;
  Spread costs;  ///< equal to hops where the network has none
  bool exact = true;
};
NodeDistances node_distances(const Network& network);

}  // namespace kith::tools
