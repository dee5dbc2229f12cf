// The names of the files in a trace, and the text of its meta.json and machine.json.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/cpu_list.hpp"
#include "kith/detail/job.hpp"

namespace kith {

/// The number that readers check: raised when an old reader would misread a new trace.
inline constexpr std::uint64_t trace_format_version = 1;

/// What meta.json says.
struct TraceMetaText {
  struct Phase {
    std::string name;
    std::string file;  ///< relative to the trace, see trace_names::phase_bytes()
    std::optional<double> wall_seconds = {};  ///< TracePhase's
  };
  /// Sums over all ranks, a rank's messages to itself included.
  struct Totals {
    std::uint64_t bytes = 0;
    std::uint64_t messages = 0;
    std::uint64_t p2p_bytes = 0;
    std::uint64_t coll_bytes = 0;
    std::uint64_t rma_bytes = 0;
    std::uint64_t neighbour_bytes = 0;  ///< of neighbourhood collectives; part of coll_bytes
    std::uint64_t self_bytes = 0;       ///< of ranks to themselves; part of bytes
    std::uint64_t self_messages = 0;
    std::uint64_t foreign_bytes = 0;  ///< to processes outside the world; in no matrix
    std::uint64_t foreign_messages = 0;
  };

  /// What the timelines hold, all ranks together; the rest was left out for want of memory.
  struct TimelineShare {
    std::uint64_t ranks = 0;  ///< that have one
    std::uint64_t events = 0;
    std::uint64_t covered_events = 0;
    std::uint64_t bytes = 0;
    std::uint64_t covered_bytes = 0;
  };

  std::string kith_version;
  std::string program;
  std::vector<std::string> arguments = {};  ///< of the program, on rank 0
  std::string date = {};                    ///< TraceMeta's
  std::string job_id = {};                  ///< TraceMeta's
  std::string directory = {};               ///< in which rank 0 started
  std::string launch = {};                  ///< number of the `kith run` that started it
  std::uint32_t ranks = 0;
  std::string mpi_library;
  std::vector<std::string> hosts;
  std::vector<Phase> phases;
  std::string collectives = "model";  ///< "exact", "model", "off" or "mixed"
  std::string note;                   ///< one sentence about the sources; may be empty
  Totals totals;                      ///< left out of a partial trace, whose rows still change
  std::optional<CartesianTopology> cartesian;  ///< what the program made of its ranks first
  ReorderedTopologies reordered_topologies;
  std::optional<double> wall_seconds;     ///< TraceMeta's
  std::optional<TimelineShare> timeline;  ///< nothing where none was recorded
  bool partial = false;
  std::string run;  ///< of a partial trace: which run its row files are of (RowFileHeader::run)
};

std::string meta_json_text(const TraceMetaText& meta);

/// machine.json: the place of each rank, and the network between the hosts. The hardware's XML is
/// in files beside it (trace_names::host_xml()); unknown hardware has no file.
std::string machine_json_text(const JobDescription& job);

}  // namespace kith

namespace kith::trace_names {

// The names of a trace's files, relative to its directory.

inline constexpr char directory_suffix[] = ".kith";

/// NAME.kith.partial: the rows of a run that has not ended, or never did.
inline constexpr char partial_suffix[] = ".partial";

inline constexpr char meta[] = "meta.json";
inline constexpr char machine[] = "machine.json";
inline constexpr char bytes[] = "bytes.mtx";
inline constexpr char messages[] = "messages.mtx";

inline constexpr char load[] = "load.csv";
inline constexpr char load_header[] = "phase,rank,cpu_outside_s,cpu_inside_s,instructions,wall_s";
/// Of traces that lack the wall time.
inline constexpr char load_header_without_wall[] =
    "phase,rank,cpu_outside_s,cpu_inside_s,instructions";
inline constexpr char sizes[] = "sizes.csv";
inline constexpr char sizes_header[] = "class,rank,at_most_bytes,messages";

inline constexpr char classes_directory[] = "classes";
inline constexpr char p2p_bytes[] = "classes/p2p.bytes.mtx";
inline constexpr char coll_bytes[] = "classes/coll.bytes.mtx";
inline constexpr char rma_bytes[] = "classes/rma.bytes.mtx";

inline constexpr char phases_directory[] = "phases";

/// "timeline/host-000012.timeline"; hosts by their leader's number.
inline constexpr char timeline_directory[] = "timeline";
inline std::string host_timeline(std::uint32_t host) {
  std::string digits = std::to_string(host);
  if (digits.size() < 6) digits.insert(0, 6 - digits.size(), '0');
  return std::string(timeline_directory) + "/host-" + digits + ".timeline";
}

/// "threads/12.mtx": what the threads of a rank share.
inline constexpr char threads_directory[] = "threads";
inline std::string thread_matrix(std::uint32_t rank) {
  return std::string(threads_directory) + "/" + std::to_string(rank) + ".mtx";
}

/// Beside NAME.mtx, a profile of KITH_REORDER=auto: NAME.timeline, a folder with `timeline`,
/// `machine` and its files of the run that recorded it.
inline constexpr char companion_suffix[] = ".timeline";

/// "rank-000123.rows": a rank's counters, of a partial trace; see core/row_block.hpp.
inline constexpr char rows_prefix[] = "rank-";
inline constexpr char rows_suffix[] = ".rows";
inline std::string rank_rows(std::uint32_t rank) {
  std::string digits = std::to_string(rank);
  if (digits.size() < 6) digits.insert(0, 6 - digits.size(), '0');
  return rows_prefix + digits + rows_suffix;
}
/// "rank-000123.timeline": a rank's timeline, of a partial trace.
inline constexpr char rank_timeline_suffix[] = ".timeline";
inline std::string rank_timeline(std::uint32_t rank) {
  std::string name = rank_rows(rank);
  name.resize(name.size() - std::char_traits<char>::length(rows_suffix));
  return name + rank_timeline_suffix;
}

/// "phases/0001.bytes.mtx"; phases count from 1, and more than 9999 simply take more digits.
inline std::string phase_bytes(std::uint64_t number) {
  std::string digits = std::to_string(number);
  if (digits.size() < 4) digits.insert(0, 4 - digits.size(), '0');
  return std::string(phases_directory) + "/" + digits + ".bytes.mtx";
}

/// "host-0.xml": the topology of the first distinct host kind.
inline std::string host_xml(std::size_t hardware) {
  return "host-" + std::to_string(hardware) + ".xml";
}

}  // namespace kith::trace_names
