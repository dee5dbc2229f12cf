// Where the time of a run goes: sums over the folded streams of all ranks, without unrolling them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "timeline/activity.hpp"
#include "timeline/stream.hpp"

namespace kith::timeline {

/// Of one rank, all its threads together.
struct RankSeconds {
  std::uint32_t rank = 0;
  ActivitySeconds seconds{};
  double run = 0;      ///< wall time from MPI_Init to MPI_Finalize
  double omitted = 0;  ///< of what is not in the timeline (KITH_TIMELINE_MEMORY)
  double off_cpu = 0;  ///< of a rank with one thread: outside MPI without a processor
  /// Of that, in long stretches in which it wanted one all the time; nothing: not known.
  std::optional<double> preempted = {};
  double after_last = 0;  ///< of a rank with one thread: wall time behind its last operation
  double computing_after_last = 0;  ///< of it, with a processor
};

/// Of all calls of one operation by all ranks.
struct OperationSum {
  std::string name;  ///< "MPI_Iallreduce"
  Op op = Op::count;
  std::uint64_t calls = 0;
  std::uint64_t bytes = 0;
  double seconds = 0;
};

/// Of a phase, all ranks together.
struct PhaseSeconds {
  ActivitySeconds seconds{};
  std::uint32_t ranks = 0;    ///< that were in it
  double most_computing = 0;  ///< of a rank
  std::uint32_t slowest = 0;  ///< that rank
};

/// Seconds that one rank spent in calls that end when another one sends or takes a message.
struct WaitPair {
  std::uint32_t waiting = 0;
  std::uint32_t awaited = 0;
  double seconds = 0;
  bool is_sending = false;  ///< until the other one takes messages; else for its messages
};

struct Summary {
  double begin = 0;    ///< the job's first end of MPI_Init, on the clock of init_seconds
  double seconds = 0;  ///< from there to its last MPI_Finalize
  std::vector<RankSeconds> ranks;                   ///< as they were added
  std::vector<OperationSum> operations;             ///< that were called, in no order
  /// By number of the phase file; 0: no phase.
  std::map<std::int32_t, PhaseSeconds> phases;
  std::vector<WaitPair> waits;       ///< longest first
  std::vector<double> awaited;       ///< by rank: seconds that others waited for it
  std::uint64_t events = 0;          ///< in the timeline or not
  std::uint64_t covered_events = 0;  ///< in it
  std::uint64_t bytes = 0;           ///< sent
  std::uint64_t covered_bytes = 0;
  std::size_t most_threads = 0;      ///< of a rank
  std::uint64_t most_omissions = 0;  ///< of a thread; what lies between them are windows
  /// Ranks with long streams: their phases and waits cover only the beginning of the run.
  std::uint32_t cut_ranks = 0;
};

/// Sums up rank by rank. Of a position in a loop it takes the first time as measured, and the mean
/// for all others; a position that was never measured takes no time. The time of a call that
/// completes several receives is shared evenly by their senders, that of one that completes sends
/// alone by those who take them. Memory: O(ranks).
class Summarizer {
 public:
  explicit Summarizer(std::uint32_t world_size, std::size_t most_waits = 20);
  void add(const RankTimeline& timeline);
  Summary take();

 private:
  OperationSum& sum_of(const Event& event);
  void add_positions(const ThreadStream& stream, RankSeconds& rank);
  void add_wait(const WaitPair& pair);

  std::size_t most_waits_;
  double end_ = 0;
  /// By operation and the flags that its name depends on: where in summary_.operations.
  std::map<std::pair<Op, std::uint8_t>, std::size_t> operation_;
  Summary summary_;
};

}  // namespace kith::timeline
