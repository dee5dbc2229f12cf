// A short part of the run, operation by operation: what one would look at first.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "timeline/timeline_files.hpp"

namespace kith::timeline {

/// An operation, the same for all ranks that do the same.
struct PeriodEvent {
  Op op = Op::send;
  std::uint64_t bytes = 0;
  std::int32_t tag = 0;
  /// Less the own rank: whom it sends to or receives from; of a completion, the ranks whose
  /// messages it completes, each once and at most four.
  std::vector<std::int32_t> peers;
  std::uint32_t requests = 0;  ///< of a completion

  auto operator<=>(const PeriodEvent&) const = default;
};

struct PeriodSlice {
  double computing = 0;  ///< CPU seconds before the operation
  double gap = 0;        ///< wall seconds before it
  double inside = 0;
  std::uint32_t event = 0;  ///< index into Period::events
};

struct PeriodRank {
  std::uint32_t rank = 0;
  double begin = 0;  ///< when the gap before the first slice does, seconds as Period::begin
  std::vector<PeriodSlice> slices;
};

struct Period {
  double begin = 0;  ///< on the clock of init_seconds
  double end = 0;
  std::uint64_t repeats = 0;  ///< of the loop, how often it is passed; 0: a part without a loop
  std::uint64_t shown = 0;    ///< how many passes of it these are
  std::vector<PeriodEvent> events;
  std::vector<PeriodRank> ranks;
  bool is_cut = false;  ///< some ranks do more meanwhile than there is room for
};

struct PeriodLimits {
  std::uint32_t ranks = 128;
  std::uint64_t slices = 24'000;
};

/// The second and third pass of the loop in which `centre` spends most time, if it has one; else
/// the middle of the run. Of many ranks those around `centre`; the first thread of each. Passes are
/// drawn with their mean times, so ranks are moved against each other until messages are received
/// when they have been sent.
Period find_period(TimelineFiles& files, std::uint32_t centre, const PeriodLimits& limits = {});

/// The clocks of the ranks of a period, which mean times leave open: moves ranks so that, on
/// average, receives end when their messages are sent, and collectives of the world end at the same
/// time; long waits weigh most. The period then reaches from the first slice of any rank to the
/// last one.
void align_period(Period& period);

}  // namespace kith::timeline
