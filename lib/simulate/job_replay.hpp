// What the processes of a job do, ready to be simulated: the timeline's operations as actions, each
// message with both of its ends.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kith/error.hpp"
#include "timeline/loop_cut.hpp"
#include "timeline/timeline_files.hpp"

namespace kith::simulate {

/// One step of a process.
struct Action {
  enum class Kind : std::uint8_t { compute, send, receive, wait_send, wait_receive, mark };

  static Action compute(double seconds) { return {seconds, 0, Kind::compute, false}; }
  static Action of(Kind kind, std::uint32_t message, bool blocks) {
    return {0, message, kind, blocks};
  }

  /// Of a computation: seconds without a processor besides, as they were seen.
  double asleep() const { return std::bit_cast<float>(message); }
  void set_asleep(double sleep) {
    message = std::bit_cast<std::uint32_t>(static_cast<float>(sleep));
  }

  double seconds = 0;         ///< of a computation
  std::uint32_t message =
      0;  ///< of all others: index into JobReplay::messages; of a mark its number; see asleep()
  Kind kind = Kind::compute;
  bool blocks = false;  ///< of a send or receive: the process waits for its end
};

struct Message {
  std::uint64_t bytes = 0;
  std::uint32_t sender = 0;  ///< processes
  std::uint32_t receiver = 0;
  bool is_sent = false;  ///< one without both is in nobody's way: it takes no time
  bool is_received = false;
  bool from_any = false;  ///< its receive named no source: who was first was received
  std::uint32_t tag = 0;  ///< and communicator: a number for each pair of them
};

/// A thread of a rank: it does its actions one after the other.
struct Process {
  std::uint32_t rank = 0;
  std::vector<Action> actions;
  double after_last = 0;  ///< seconds of its last computation: from its last operation to the end
  /// Seconds without a processor for each second that it computes before that, and for each of its
  /// computations besides (time_asleep.hpp).
  double asleep = 0;
  double asleep_each = 0;
  double seen_asleep = 0;        ///< share of what was seen at each computation
  double asleep_after_last = 0;  ///< of after_last: seconds without a processor

  /// Seconds of its `index`-th action, which computes, without what follows the last operation.
  double seconds_before_last(std::size_t index) const {
    const double tail = index + 1 == actions.size() ? after_last : 0;
    return std::max(0.0, actions[index].seconds - tail);
  }
  /// What belongs to that action of the seconds without a processor.
  double sleep_of(std::size_t index) const {
    const double seen = seen_asleep * actions[index].asleep();
    if (asleep == 0 && asleep_each == 0) return seen;
    const double seconds = seconds_before_last(index);
    return seconds > 0 ? seen + asleep * seconds + asleep_each : seen;
  }
};

struct JobReplay {
  std::uint32_t ranks = 0;
  timeline::LoopCut cut;           ///< passes of loops that are left out of all that follows
  std::vector<Process> processes;  ///< by rank
  std::vector<Message> messages;
  double recorded_seconds = 0;    ///< from the end of MPI_Init to MPI_Finalize, of the slowest rank
  /// Relative spread of the whole computation of a process: what its passes through loops differed
  /// by.
  double computing_spread = 0;
  /// Largest share of its run that a rank spent without a processor, outside MPI and before its
  /// last operation: time_asleep.hpp.
  double asleep = 0;
  /// The most seconds that a rank waited for a processor which others had.
  double displaced = 0;
  /// How many times as long computing took by the clock, of ranks that shared processors:
  /// time_asleep.hpp. 0: not known.
  double dilation = 0;
  std::uint64_t operations = 0;          ///< of all ranks, as recorded
  std::uint64_t omitted_operations = 0;  ///< not in the timeline (KITH_TIMELINE_MEMORY)
  /// Share of the run's time that is replayed: less than 1 where the timeline leaves something out.
  /// Then all ranks do what they did until the first of them had no more memory.
  double covered = 1;
  /// Of a job that was killed: replayed and counted in recorded_seconds is what all ranks kept.
  bool is_cut_short = false;
  std::uint64_t one_ended_messages = 0;  ///< their other end is not in the timeline
  std::uint32_t missing_ranks = 0;       ///< left no timeline
};

/// Operations of all ranks that are simulated of a job whose loops may be cut.
constexpr std::uint64_t enough_operations = 2'000'000;
constexpr std::uint64_t all_operations = UINT64_MAX;

/// How much of a job is replayed.
struct ReplaySize {
  std::uint64_t most = enough_operations;     ///< beyond that passes of loops are left out
  std::uint64_t most_whole = all_operations;  ///< where loops of its ranks do not fit each other
};

/// A job of more operations than ReplaySize::most_whole allows.
class ReplayTooLong : public Error {
 public:
  explicit ReplayTooLong(std::uint64_t operations);
};

/// Where the job has more operations than asked, passes of its loops are left out (`cut`), as far
/// as they can. Throws Error (input) where more than 2^31 operations or 2^32 - 1 messages remain,
/// and ReplayTooLong where they cannot be left out of a job of more than `most_whole` operations.
/// 16 bytes an action and 24 a message.
JobReplay read_job_replay(timeline::TimelineFiles& files, ReplaySize size = {});

}  // namespace kith::simulate
