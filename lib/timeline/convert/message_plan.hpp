// What one rank must know of the others to take its part in a replay: who sends it what inside
// collectives and one-sided operations.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "timeline/loop_cut.hpp"
#include "timeline/timeline_files.hpp"

namespace kith::timeline {

/// Equal messages between a rank and another one.
struct PlannedMessages {
  std::uint32_t peer = 0;  ///< world rank
  std::uint64_t bytes = 0;
  std::uint64_t messages = 0;
  std::uint64_t first = 0;  ///< of a collective: how many the sender sent in it before
};

/// What others do that concerns a rank, which takes no part in it itself: one-sided operations, and
/// messages of has_loose_messages().
struct OneSidedPart {
  std::vector<PlannedMessages> receives;  ///< what others put here, or send in such calls
  std::vector<PlannedMessages> sends;     ///< what others get from here
};

/// Reads all ranks, their loops cut as `cut` says. The k-th collective of a communicator is the
/// same one on all its members; of collectives in which everyone sends the same as before, the
/// messages are kept once.
class MessagePlan {
 public:
  explicit MessagePlan(TimelineFiles& files, const LoopCut& cut = {});

  /// What a rank receives in the `ordinal`-th collective of a communicator (its identity).
  std::span<const PlannedMessages> received(std::uint64_t communicator, std::uint64_t ordinal,
                                            std::uint32_t rank) const;
  /// Whether all members were in it: else a message may have no other end.
  bool is_complete(std::uint64_t communicator, std::uint64_t ordinal) const;
  /// Whether no rank gets back, over others, what it sent in the collective (a tree, a chain).
  bool is_one_way(std::uint64_t communicator, std::uint64_t ordinal) const;
  const OneSidedPart& one_sided(std::uint32_t rank) const { return one_sided_[rank]; }

  /// A small number for what tells messages apart: communicator and tag, or a kind of messages. The
  /// same for all ranks.
  enum class Kind : std::uint8_t { point_to_point, collective, one_sided };
  std::uint32_t tag(Kind kind, std::uint64_t communicator, std::uint64_t tag);

  /// Whether a rank left a timeline.
  bool takes_part(std::uint32_t rank) const { return takes_part_[rank]; }
  /// What the timeline leaves out, of all ranks.
  std::uint64_t omitted_events() const { return omitted_events_; }
  /// Ranks with several threads.
  std::uint32_t threaded_ranks() const { return threaded_ranks_; }

 private:
  struct Instances {
    std::uint64_t members = 0;               ///< of the communicator, both groups
    std::vector<std::uint64_t> key;          ///< by ordinal: equal keys, equal messages
    std::vector<std::uint32_t> ranks;        ///< how many took part
  };
  /// By receiver.
  using Received = std::unordered_map<std::uint32_t, std::vector<PlannedMessages>>;

  static constexpr std::uint64_t most_operations = std::uint64_t{1} << 31U;

  void count_operations(const RankTimeline& timeline);
  void count_collectives(const RankTimeline& timeline);
  void count_one_sided(const RankTimeline& timeline);
  void count_loose_messages(const RankTimeline& timeline);
  void keep_messages(const RankTimeline& timeline);
  static bool is_one_way(const Received& received);

  std::unordered_map<std::uint64_t, Instances> instances_;  ///< by communicator
  std::unordered_map<std::uint64_t, Received> received_;    ///< by key
  std::unordered_set<std::uint64_t> one_way_;               ///< keys
  std::unordered_map<std::uint64_t, std::pair<std::uint64_t, std::uint64_t>> chosen_;
  std::vector<OneSidedPart> one_sided_;
  std::vector<bool> takes_part_;
  std::map<std::tuple<Kind, std::uint64_t, std::uint64_t>, std::uint32_t> tags_;
  std::uint64_t operations_ = 0;  ///< of all ranks so far, loops written out
  std::uint64_t omitted_events_ = 0;
  std::uint32_t threaded_ranks_ = 0;
};

/// What a replay has of a rank: behind an omission nobody knows which message is which.
RankTimeline replayed_part(RankTimeline timeline);

/// Whether an event has messages of which nobody knows in which call they are received: the making
/// and freeing of communicators, and calls on files. The timeline does not say of which
/// communicator, and not all of its members need to be in the same call.
constexpr bool has_loose_messages(Op op) {
  return op == Op::setup || op == Op::file;
}

}  // namespace kith::timeline
