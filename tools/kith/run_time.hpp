// Where the time of a run went, as `kith info` tells it.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "io/format/json_text.hpp"
#include "kith/io.hpp"
#include "timeline/summary.hpp"

namespace kith::tools {

/// What a trace's timeline holds.
struct RunTime {
  timeline::Summary summary;
  double bytes_share = 0;     ///< of the bytes in the matrix that the timeline has
  double messages_share = 1;  ///< of the messages
  bool is_exact = false;      ///< every entry of both matrices, neither more nor less
  bool is_cut = false;        ///< of a killed job: the ranks' timelines end at different times
  bool is_compared = true;    ///< the matrix is of the same run; else it is that of several
  /// Wall seconds of a rank on average, by phase as in `summary`; empty where they are not known.
  std::vector<double> phase_wall;
  std::string crowding;  ///< "12 ranks shared 2 processors of h0"; empty: they did not
  /// Of what the wall clock has more than the sums of the phases.
  double share_without_processor = 0;
};

/// Nothing where the trace has no timeline. Throws Error (input) where it is damaged.
std::optional<RunTime> find_time(const Trace& trace);

/// Names and what there is to say; a name is empty where the line before has it.
using NamedLines = std::vector<std::pair<std::string, std::string>>;
NamedLines time_lines(const RunTime& time);

/// "Uneven work: rank 7 computes 1.78 times the mean; even work would save at most 175 ms"; empty
/// where that is little of the run.
std::string uneven_work(const timeline::Summary& time);

/// "3.2 s of a rank: computing 2.1 s (66%), ..."; empty where the timeline has nothing of it.
std::string phase_time(const TraceMeta& meta, const RunTime& time, const std::string& phase);

/// The objects of the keys "timeline" and "time".
void put_time(JsonText& json, const Trace& trace, const RunTime& time);

}  // namespace kith::tools
