// Loops of a job with fewer passes: what is simulated of a long run that repeats itself.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "timeline/stream.hpp"
#include "timeline/timeline_files.hpp"

namespace kith::timeline {

/// A loop that all ranks of a job run through side by side. Its blocks are the same work for all:
/// one pass each, or several passes of ranks whose passes are shorter.
struct JobLoop {
  std::uint64_t blocks = 0;        ///< in the run, each time that it is reached; 0: not cut
  std::uint64_t kept = 0;          ///< of them; a multiple of 4 where it is less
  std::uint64_t visits = 1;        ///< how often the loop is reached
  std::uint64_t longest = 0;       ///< passes of the rank with most of them
  std::uint64_t block_passes = 1;  ///< of that rank

  std::uint64_t left_out() const { return blocks - kept; }
};

/// Where a block ends, in the stream of a rank whose loops were cut.
struct LoopMark {
  std::uint64_t events = 0;  ///< of the stream before it
  std::uint32_t number = 0;  ///< the same for all ranks
};

/// What is left out of each loop, such that every message that is kept has both ends: all ranks
/// leave out the same blocks. Loops whose ranks do not fit each other are kept whole; so are jobs
/// that have threads, omissions, or ranks without a timeline.
class LoopCut {
 public:
  /// Keeps everything.
  LoopCut() = default;
  /// Such that some `most_operations` of all ranks remain, and at least 32 blocks of each loop.
  LoopCut(TimelineFiles& files, std::uint64_t most_operations);

  bool is_empty() const { return loops_.empty(); }
  const std::vector<JobLoop>& loops() const { return loops_; }
  /// Of all ranks: in the run, and in what is kept of it.
  std::uint64_t operations() const { return operations_; }
  std::uint64_t kept_operations() const { return kept_operations_; }
  /// Of `count` things that are spread evenly over the operations, those that are kept.
  std::uint64_t kept_of(std::uint64_t count) const;
  /// The first mark of a loop: its beginning. `kept` more follow it, and as many for each visit.
  std::uint32_t first_mark(std::size_t loop) const;

  /// A rank's timeline without what is left out. Its counts of events and its times stay those of
  /// the whole run.
  RankTimeline cut(RankTimeline whole) const;
  /// Of the timeline that cut() makes of this one, in the order of its events.
  std::vector<LoopMark> marks(const RankTimeline& whole) const;

 private:
  struct Ranks;
  class Marker;

  static std::optional<JobLoop> common_loop(const Ranks& ranks, std::size_t number);
  void plan(const Ranks& ranks, std::uint64_t most_operations);

  bool largest_only_ = false;  ///< of each rank's loops
  std::vector<JobLoop> loops_;
  std::uint64_t operations_ = 0;
  std::uint64_t kept_operations_ = 0;
};

}  // namespace kith::timeline
