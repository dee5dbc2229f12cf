// From measurements between hosts to layers of switches.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "machine/probe_inference/host_groups.hpp"

namespace kith {

/// Layers of switches between hosts, as measured.
struct InferredLevels {
  /// switch_of[layer][host], layers top down: switches of a layer are numbered from 0 in the order
  /// of their first hosts. Hosts on one switch are on one switch of every layer above. No layer:
  /// all hosts are equally near. A host or switch that hangs higher has a switch to itself below.
  std::vector<std::vector<std::uint32_t>> switch_of;

  /// How many levels two hosts can meet at: the layers and, above them, the network.
  std::size_t levels() const { return switch_of.size() + 1; }
  /// 0 where two hosts meet at the top, else 1 + the lowest layer of which they share a switch.
  std::size_t meeting(std::uint32_t a, std::uint32_t b) const;
};

/// Groups by cost, and where cost shows no difference by latency (switches without a bottleneck),
/// if that makes a difference of 2 per cent to messages of 64 KiB; pairs that contradict the others
/// are left out. `pairs`: each at most once, as many as were measured; values of 0 are passed over.
/// Groups of like cost share a layer (within a factor of 1.5), so groups inside a group are always
/// in a lower one.
InferredLevels infer_levels(std::uint32_t hosts, std::span<const MeasuredPair> pairs);

/// Indices of pairs that should be measured again: their costs contradict those of other pairs.
std::vector<std::size_t> doubtful_pairs(std::uint32_t hosts, std::span<const MeasuredPair> pairs);

}  // namespace kith
