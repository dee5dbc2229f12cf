// A rank's timeline as actions: requests, wildcards, collectives and one-sided operations become
// messages between two ranks that both know of.
#pragma once

#include <cstdint>

#include "timeline/convert/actions.hpp"
#include "timeline/convert/message_plan.hpp"

namespace kith::timeline {

enum class CollectivesAs : std::uint8_t {
  messages,  ///< those that the MPI library sent
  native     ///< the format's own collective, where it has one
};

/// Messages that are left out: the timeline does not say who has the other end.
struct LeftOut {
  std::uint64_t messages = 0;
};

LeftOut write_actions(const RankTimeline& timeline, MessagePlan& plan, CollectivesAs collectives,
                      ActionWriter& writer);

}  // namespace kith::timeline
