// From the operation that sends a message to the one that has received it, for pictures of a run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "timeline/timeline_files.hpp"

namespace kith::timeline {

struct ArrowEnd {
  double time = 0;  ///< seconds since the first rank left MPI_Init, in the middle of the operation
  std::uint32_t rank = 0;
  std::uint32_t thread = 0;
};
struct MessageArrow {
  ArrowEnd from;
  ArrowEnd to;
};

/// The operations that a picture shows.
struct ShownPart {
  double from = 0;
  double to = 0;
  std::uint64_t most_operations = 0;  ///< of a rank, divided among its threads
};

/// Of more operations than these messages are not followed: it takes a second for some millions.
inline constexpr std::uint64_t most_followed_operations = std::uint64_t{1} << 26U;
bool may_follow_messages(TimelineFiles& files);

/// Of the point-to-point messages both ends of which are shown; to the completion of a receive with
/// a request. None behind an omission, where nobody knows which message is which.
std::vector<MessageArrow> message_arrows(TimelineFiles& files, const ShownPart& shown);

}  // namespace kith::timeline
