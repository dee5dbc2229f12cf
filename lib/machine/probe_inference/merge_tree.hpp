// Hosts merged two by two, nearest first.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "machine/probe_inference/measured_pair.hpp"

namespace kith {

/// A binary tree over hosts. Nodes 0 .. hosts-1 are the hosts, each later one joins two earlier
/// ones; the last is the root.
struct MergeTree {
  struct Node {
    std::uint32_t left = 0;
    std::uint32_t right = 0;
    std::uint32_t hosts = 1;
    double height = 0;  ///< mean logarithm of the values between left and right; a host: -infinity,
                        ///< where nothing was measured between them: +infinity
  };
  std::vector<Node> nodes;
};

/// Average linkage of the logarithms (Sokal and Michener 1958): again and again the two groups join
/// whose mean is smallest, over those pairs that were measured. `hosts` at least 1; each pair once
/// at most. Time O(pairs log^2 pairs), memory O(pairs).
MergeTree merge_nearest(std::uint32_t hosts, std::span<const PairValue> pairs);

/// The hosts below a node, in no order.
std::vector<std::uint32_t> hosts_below(const MergeTree& tree, std::uint32_t node);

}  // namespace kith
