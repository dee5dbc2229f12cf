// One thread's folded stream of events, as plain data: what is written, and what is read back.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "timeline/event.hpp"

namespace kith::timeline {

/// Times of one kind (the computation before an operation, or the operation itself), in ns.
struct TimeSummary {
  double sum = 0;
  double sum_of_squares = 0;
  double least = 0;
  double most = 0;
};

/// What was measured at one position of the folded stream. Operations that follow each other
/// closely are timed in samples: `timed` may be less than how often the position was passed.
struct PositionTimes {
  std::uint64_t timed = 0;   ///< how many times, the first apart
  TimeSummary before;        ///< the computation before the operation
  TimeSummary inside;        ///< the operation
  /// Beside the computation before the operation: without a processor, most often asleep. Long
  /// stretches only; the sum, ns.
  double asleep = 0;
  bool has_first = false;
  double first_before = 0;   ///< the first time (warm-up), ns
  double first_inside = 0;
  double first_asleep = 0;
};

/// `times` repetitions of an event, or of a rule.
struct Item {
  bool is_rule = false;
  std::uint32_t index = 0;  ///< into events or rules
  std::uint64_t repeats = 1;
  std::uint32_t times = 0;  ///< of an event: index into `times`; 0: nothing was measured here
};

/// Rule 0 is the whole stream. A rule refers to rules with a higher index only.
struct Rule {
  std::vector<Item> items;
};

/// A part of the run that is not in the stream: memory was short (KITH_TIMELINE_MEMORY).
struct Omission {
  std::uint64_t after_events = 0;  ///< it lies behind that many events of the stream
  std::uint64_t events = 0;
  std::uint64_t bytes = 0;         ///< sent point-to-point, one-sided and in collectives
  double seconds = 0;
};

/// The same for all ranks that run through the same operations: peers are differences, and
/// communicators are numbered in the order in which the rank met them.
struct Program {
  std::vector<Event> events;        ///< distinct
  std::vector<std::string> lists;   ///< encoded (list_code.hpp); entry 0 is empty
  std::vector<Rule> rules;          ///< never empty
};

struct ThreadStream {
  Program program;
  std::vector<PositionTimes> times;  ///< entry 0 is empty
  std::vector<Omission> omissions;
  double begin = 0;                  ///< seconds from the end of MPI_Init to the first event's computation
  double end = 0;                    ///< ... to the end of the last event
  /// Of the time outside MPI without a processor, long stretches in which the thread wanted one all
  /// the time; nothing: not known.
  std::optional<double> preempted = {};
  std::uint64_t events = 0;          ///< operations, whether in the stream or omitted
  std::uint64_t bytes = 0;           ///< that they sent
};

/// A communicator or window that events name.
struct Communicator {
  /// The same on all members, and different for each communicator (of one group: by the order of
  /// their making).
  std::uint64_t identity = 0;
  std::uint32_t size = 0;
  std::uint32_t rank = 0;           ///< the own one in it
  std::uint32_t remote_size = 0;    ///< of the other group; 0: there is one group
  bool is_window = false;
  /// World ranks by rank in it, encoded as a list of one field; only rank 0 of the group (of each
  /// group) keeps them, and nobody where they are those of the world.
  std::string members;
};

/// What one rank recorded.
struct RankTimeline {
  std::uint32_t rank = 0;
  std::vector<Communicator> communicators;  ///< 0: the world, 1: the rank alone
  std::vector<ThreadStream> threads;        ///< in the order of their first operation
  /// Wall time of MPI_Init's end after a moment of MPI_Init that is the same for all ranks, on one
  /// clock for all hosts.
  double init_seconds = 0;
  double run_seconds = 0;       ///< from there to the beginning of MPI_Finalize
  double computing_seconds = 0; ///< CPU time outside MPI, all threads (load.csv)
};

}  // namespace kith::timeline
