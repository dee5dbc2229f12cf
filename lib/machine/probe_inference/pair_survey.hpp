// Which pairs of hosts are measured, and when: enough to tell how they are connected, in bounded
// time.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "machine/probe_inference/host_groups.hpp"

namespace kith {

/// How a survey measures, and what it is told.
struct SurveyMeans {
  /// Measures all of the pairs at the same time and fills in what it found; no host is in two.
  std::function<void(std::span<MeasuredPair>)> measure;
  /// Seconds since the survey began.
  std::function<double()> seconds;
  /// Called before each round with what has been measured and what will be, as far as known now.
  std::function<void(std::size_t measured, std::size_t planned)> progress;
};

struct Survey {
  std::vector<MeasuredPair> pairs;  ///< each once at most
  bool out_of_time = false;         ///< ended before it knew enough
};

/// Measures every pair, one at a time so that nothing interferes, where that fits into `time_limit`
/// seconds. Else one host (a pivot) with all others; those that are equally near to it are a band,
/// and each band is surveyed in the same way, until two pivots found all of a band alike. Pairs of
/// different bands share no cable in a tree of switches, so bands are measured at the same time.
/// As far as time is left, all of it is done once more, and the smaller value of each pair counts.
/// Pairs that contradict the others are measured twice again; the median of the three counts. A
/// round that has begun is finished after the limit.
Survey survey_pairs(std::uint32_t hosts, double time_limit, const SurveyMeans& means);

}  // namespace kith
