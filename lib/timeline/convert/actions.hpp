// What a replaying program does, rank by rank: the little that SimGrid's and LogGOPSim's traces have
// in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "timeline/stream.hpp"

namespace kith::timeline {

struct Step;

/// A message that is under way, at the rank that sends or receives it.
struct PostedMessage {
  std::uint64_t label = 0;  ///< counts up from 1 within the rank
  std::uint32_t peer = 0;   ///< world rank
  std::uint32_t tag = 0;
  bool is_send = false;
  bool from_any = false;  ///< a receive that named no source: `peer` is whom it matched
};

/// Writes the actions of one rank in their order. Messages of one pair with one tag arrive in the
/// order in which they were sent.
class ActionWriter {
 public:
  virtual ~ActionWriter() = default;
  /// Whether a rank's threads go on side by side in the format; else each rank is one sequence.
  virtual bool keeps_threads() const { return false; }
  /// What comes next is of this thread of the rank.
  virtual void enter_thread(std::size_t) {}
  /// ... and of this operation of it; what the one before waited for has been waited for.
  virtual void enter_step(const Step&) {}
  virtual void compute(double seconds) = 0;
  /// Without a processor, beside the computation before the same operation.
  virtual void sleep(double) {}
  virtual void send(const PostedMessage& message, std::uint64_t bytes, bool blocking) = 0;
  virtual void receive(const PostedMessage& message, std::uint64_t bytes, bool blocking) = 0;
  /// Until all of these are done; `all`: nothing else is under way.
  virtual void wait(std::span<const PostedMessage> messages, bool all) = 0;
  /// A collective over the world as such; false where the format has no word for it.
  virtual bool collective(const Event& event, std::uint32_t world_size) = 0;
};

class MessagePlan;

enum class CollectivesAs : std::uint8_t {
  messages,  ///< those that the MPI library sent
  native     ///< the format's own collective, where it has one
};

/// Messages that are left out: the timeline does not say who has the other end.
struct LeftOut {
  std::uint64_t messages = 0;
};

/// A rank's timeline as actions: requests, wildcards, collectives and one-sided operations become
/// messages between two ranks that both know of.
LeftOut write_actions(const RankTimeline& timeline, MessagePlan& plan, CollectivesAs collectives,
                      ActionWriter& writer);

/// Of a rank from its last operation to MPI_Finalize, which write_actions() does not write.
double seconds_after_last(const RankTimeline& timeline);
/// The thread with that operation.
std::size_t last_thread(const RankTimeline& timeline);

}  // namespace kith::timeline
