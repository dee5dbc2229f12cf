// What a swap or a move changes in the objective: the one routine that all searches use.
#pragma once

#include "kith/mapping.hpp"
#include "kith/traffic.hpp"
#include "objective/distance.hpp"
#include "objective/wide.hpp"

namespace kith {

/// Exact differences, after minus before: negative is better. Holds references only; the mapping
/// may change between calls. O(degree) each.
template <class Distance>
class SwapGain {
 public:
  SwapGain(const TrafficGraph& graph, const Mapping& mapping, Distance distance)
      : graph_(graph), mapping_(mapping), distance_(std::move(distance)) {}

  /// Rank r alone goes to `to`.
  SignedWide move(Rank r, Slot to) const { return shift(r, to, r); }

  /// Ranks a and b change places. Traffic between the two stays as long as it was.
  SignedWide swap(Rank a, Rank b) const {
    return shift(a, mapping_[b], b) + shift(b, mapping_[a], a);
  }

  const Distance& distance() const { return distance_; }

 private:
  SignedWide shift(Rank r, Slot to, Rank ignored) const {
    const Slot from = mapping_[r];
    const auto neighbours = graph_.neighbours(r);
    const auto weights = graph_.weights(r);
    Wide before = 0;
    Wide after = 0;
    for (std::size_t i = 0; i < neighbours.size(); ++i) {
      if (neighbours[i] == ignored) continue;
      const Slot there = mapping_[neighbours[i]];
      before += Wide{weights[i]} * distance_(from, there);
      after += Wide{weights[i]} * distance_(to, there);
    }
    return static_cast<SignedWide>(after - before);
  }

  const TrafficGraph& graph_;
  const Mapping& mapping_;
  Distance distance_;
};

}  // namespace kith
