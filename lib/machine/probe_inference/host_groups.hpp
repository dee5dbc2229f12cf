// Which hosts are near each other: groups within groups, by clear gaps in what was measured.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace kith {

// What was measured between two hosts.

/// Both directions count alike: values are their mean.
struct MeasuredPair {
  std::uint32_t a = 0;  ///< hosts, by index
  std::uint32_t b = 0;
  double cost = 0;             ///< picoseconds a byte takes in messages of 64 KiB; 0: not known
  double latency_us = 0;       ///< of a small message, one way; 0: not known
  double megabytes_per_s = 0;  ///< of large messages, one way; 0: not known
};

/// A number between two hosts, of which a smaller one means nearer.
struct PairValue {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  double value = 0;  ///< more than 0
};

/// Hosts that are all nearer to each other than to anyone else below their parent.
struct HostGroup {
  static constexpr std::uint32_t none = UINT32_MAX;

  std::vector<std::uint32_t> hosts;  ///< ascending
  std::uint32_t parent = none;       ///< index among the groups, less than the group's own
  double value = 0;  ///< median over the pairs that part here: in no common group below
};

/// The groups within `hosts`, the first of which is all of them. A group is one where the median
/// from it to any host outside it exceeds what is usual inside it (all but the largest tenth) by a
/// clear factor: 1.25, or 1.5 where fewer than six pairs inside or outside speak for it, so that
/// noise of 20 per cent makes none. Pairs with a host that is not in `hosts` are passed over; not
/// every pair need be there. Hosts that fit nowhere are in the first group only.
std::vector<HostGroup> find_groups(std::vector<std::uint32_t> hosts,
                                   std::span<const PairValue> pairs);

/// Indices of pairs that contradict the others: in a tree of switches the two largest of three
/// hosts' values are alike, and these pairs are what most of the triangles have in common where
/// they are not. To be measured again, or left out. Time O(pairs x pairs per host).
std::vector<std::size_t> find_contradictions(std::uint32_t hosts, std::span<const PairValue> pairs);

}  // namespace kith
