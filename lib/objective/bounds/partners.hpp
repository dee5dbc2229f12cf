// How much of the traffic ranks can keep where each can have so many partners near.
#pragma once

#include <cstdint>
#include <vector>

#include "kith/traffic.hpp"
#include "objective/bounds/shells.hpp"
#include "objective/wide.hpp"

namespace kith::bounds {

/// Bounds for any graph. Memory: 8 bytes per edge and end.
class Partners {
 public:
  /// The graph must outlive this. O(edges log degree).
  explicit Partners(const TrafficGraph& graph);

  /// Partners of any rank.
  std::uint64_t most() const { return most_; }

  /// At most this weight is between ranks that are together. By each rank's heaviest partners: a
  /// fractional matching in which each rank has so many, bounded by its dual, which rank after
  /// rank improves. O(edges).
  Wide kept_by_partners(const Shell& shell) const;

  /// The same by the number of pairs that fit into objects (shells with groups). O(edges).
  Wide kept_by_pairs(const Shell& shell) const;

 private:
  Wide dual(std::uint64_t partners) const;
  Wide by_unequal_groups(const Shell& shell) const;

  const TrafficGraph& graph_;
  std::vector<Weight> heaviest_first_;  ///< of each rank, as the graph's offsets index them
  std::uint64_t most_ = 0;              ///< partners of a rank
  bool all_alike_ = true;               ///< the weights of each rank
  Wide twice_total_ = 0;                ///< all weights, each pair at both ends
};

}  // namespace kith::bounds
