// Who sends how much to whom, from timelines.
#pragma once

#include <cstdint>
#include <vector>

#include "timeline/stream.hpp"

namespace kith::timeline {

struct TrafficCell {
  std::uint32_t from = 0;  ///< world ranks
  std::uint32_t to = 0;
  std::uint64_t bytes = 0;
  std::uint64_t messages = 0;
  bool operator==(const TrafficCell&) const = default;
};

/// What one rank makes go over the network, as bytes.mtx and messages.mtx count it: its sends
/// point-to-point and inside collectives, setups and file operations, what it puts to others and
/// what it gets from them. Sorted, each pair once. Throws Error beyond 2^64.
std::vector<TrafficCell> traffic_of(const RankTimeline& timeline);

/// Cells of all ranks as one sorted list in which each pair is once.
std::vector<TrafficCell> summed(std::vector<TrafficCell> cells);

}  // namespace kith::timeline
