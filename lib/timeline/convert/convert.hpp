// Timelines for other programs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>

#include "core/fd_writer.hpp"
#include "timeline/convert/actions.hpp"
#include "timeline/timeline_files.hpp"

namespace kith::timeline {

/// What the user should know of a conversion.
struct ConversionReport {
  std::uint64_t left_out_messages = 0;  ///< their other end is unknown
  std::uint64_t omitted_events = 0;     ///< not in the timeline (KITH_TIMELINE_MEMORY)
  std::uint32_t threaded_ranks = 0;     ///< their threads became one
  std::uint32_t missing_ranks = 0;      ///< left no timeline
};

/// SimGrid's time-independent traces: the folder `out` with a file per rank and `index`, which
/// names them in the order of ranks; the folder appears whole or not at all. A flop is a
/// nanosecond: hosts of 1 Gf compute as long as it took. Messages are written `envelope` bytes
/// shorter: what SimGrid adds to each (16), where the time of a replay shall be without.
ConversionReport write_simgrid_traces(TimelineFiles& files, const std::filesystem::path& out,
                                      CollectivesAs collectives, std::uint64_t envelope = 0);

// What follows writes text; failed writes show in the FdWriter.

/// GOAL, the text of LogGOPSim and ATLAHS: all ranks in one file, computation in ns.
ConversionReport write_goal(TimelineFiles& files, FdWriter& out);

struct ChromeTraceOptions {
  double from = 0;  ///< seconds since the first rank left MPI_Init
  double to = std::numeric_limits<double>::infinity();
  std::uint64_t most_slices = 1'000'000;  ///< divided among the ranks
  /// What phases are called, by number less one, as it stands in a JSON string. Others: by number.
  std::vector<std::string> phases;
};
struct ChromeTraceReport {
  std::uint64_t slices = 0;
  std::uint32_t cut_ranks = 0;  ///< ranks that have more than their share
  double whole_until = 0;       ///< until then nothing is cut, in seconds
  std::uint64_t arrows = 0;     ///< from sends to receives
  bool follows_messages = true;  ///< false: there are too many operations for arrows
};

/// Chrome's trace events in JSON, which ui.perfetto.dev opens: a process per rank with a track per
/// thread and one of its phases; flow events from each send to its receive.
ChromeTraceReport write_chrome_trace(TimelineFiles& files, FdWriter& out,
                                     const ChromeTraceOptions& options);

}  // namespace kith::timeline
