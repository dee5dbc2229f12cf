// The trace directory, written by the root: complete or absent.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "io/format/trace_text.hpp"
#include "kith/detail/job.hpp"
#include "trace/section_writer.hpp"

namespace kith::preload {

/// What a trace says besides the rows.
struct TraceContent {
  std::string program;
  std::vector<std::string> arguments;  ///< of the program
  std::string date;                    ///< TraceMeta's, as the two below
  std::string job_id;
  std::string directory;
  std::string launch;  ///< number of the `kith run` that started the job
  std::string mpi_library;
  std::string collectives;  ///< "exact", "model", "off" or "mixed"
  std::string note;         ///< one sentence about the sources; may be empty
  JobDescription job;
  std::vector<std::string> phases;
  std::optional<CartesianTopology> cartesian;
  ReorderedTopologies reordered_topologies;
};

/// Removes what runs left beside `directory` that were killed while they wrote it (on this host; no
/// process of theirs is left). A trace that was about to be replaced is put back. Throws
/// std::bad_alloc.
void clear_leftovers(const std::string& directory);

/// Whether the trace there, or the partial one, is of an earlier program of the same `kith run`,
/// whose number this is (settings.hpp; may be empty).
bool is_of_this_launch(const std::string& directory, const std::string& number);

/// Why a trace cannot be written there, before the run: it or the partial trace of an earlier run
/// exists and `force` is not given, or its parent is not writable. Empty when it can.
std::string trace_obstacle(const std::string& directory, bool force);

/// meta.json of the trace except for the totals.
TraceMetaText meta_of(const TraceContent& content);
/// machine.json and the XML files that it names.
void write_machine(FileSet& files, const JobDescription& job);

/// Gives the writer all rows, section by section.
using StreamRows = std::function<void(SectionWriter&)>;

/// Writes the timelines of all ranks; what they cover.
using StreamTimelines = std::function<std::optional<TraceMetaText::TimelineShare>(FileSet&)>;

/// Writes under a temporary name beside `directory` and renames; with `force`, an existing trace is
/// replaced. `stream` and then `timelines` are called once, whatever goes wrong. Empty on success, else the reason;
/// nothing is left behind then. Throws std::bad_alloc, and what `stream` throws.
std::string write_trace(const std::string& directory, const TraceContent& content, bool force,
                        const StreamRows& stream, const StreamTimelines& timelines = {});

}  // namespace kith::preload
