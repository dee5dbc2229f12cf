// Files: traces, matrices, mappings.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kith/detail/coordinates.hpp"
#include "kith/detail/job.hpp"
#include "kith/mapping.hpp"
#include "kith/traffic.hpp"

namespace kith {

enum class MatrixFormat {
  mtx,       ///< Matrix Market coordinate integer|pattern|real, general or symmetric; directed
  eagermap,  ///< EagerMap's CSV: rows in reversed order, n values each; directed
  dense,     ///< TopoMatch's text: n rows of n values; directed
  metis,     ///< METIS .graph: undirected, weight of a pair given at both ends
  scotch,    ///< Scotch .grf: undirected
  prof,      ///< Open MPI monitoring's .prof files; reading only
};
std::string_view to_string(MatrixFormat format);
/// By name ("mtx", "csv" or "eagermap", "dense", "metis", "scotch", "prof").
/// Throws Error (input) naming `option`.
MatrixFormat parse_matrix_format(std::string_view name, std::string_view option);

/// Reads one matrix. Without `format` it is told by the ending (.mtx .csv .txt .graph .grf .prof)
/// and, for other endings, by the content. Sizes are checked before memory is taken. Throws Error
/// (input) with file:line, expected, found.
TrafficMatrix read_matrix(const std::filesystem::path& path,
                          std::optional<MatrixFormat> format = std::nullopt);
/// Writes to a temporary name beside `path` and renames. Undirected formats get pair totals.
void write_matrix(const std::filesystem::path& path, const TrafficMatrix& matrix,
                  MatrixFormat format);

class Pattern;  // kith/detail/generate.hpp
/// Streams the pattern into a symmetric .mtx file (each pair once), without holding it in memory.
/// `comment` may be empty. Writes to a temporary name beside `path` and renames.
void write_pattern(const std::filesystem::path& path, const Pattern& pattern,
                   std::string_view comment = {});

/// A phase of the run, as meta.json names it.
struct TracePhase {
  std::string name;
  std::string file;  ///< "phases/0001.bytes.mtx", relative to the trace
  std::optional<double> wall_seconds;  ///< that it took, on the rank where it took longest
};

/// Sums that meta.json tells beside the matrices. Absent in older and in partial traces.
struct TraceTotals {
  std::optional<std::uint64_t> messages;         ///< of messages.mtx
  std::optional<std::uint64_t> neighbour_bytes;  ///< neighbourhood collectives; part of coll
  std::optional<std::uint64_t> self_messages;    ///< of ranks to themselves
  std::optional<std::uint64_t> foreign_bytes;    ///< to processes outside the world; in no matrix
  std::optional<std::uint64_t> foreign_messages;
};

/// meta.json in memory.
struct TraceMeta {
  std::string kith_version;
  std::string program;
  std::vector<std::string> arguments;  ///< of the program, on rank 0
  std::string date;       ///< of the end of MPI_Init, as in "2026-03-01T12:34:56Z"; may be empty
  std::string job_id;     ///< of the batch system, such as "slurm 1234"; may be empty
  std::string directory;  ///< in which rank 0 started; may be empty
  std::string mpi_library;
  std::uint32_t ranks = 0;
  std::vector<std::string> hosts;
  std::string collectives;  ///< which source counted them: "exact", "model", "off", "mixed"
  std::string note;         ///< one sentence about the sources; may be empty
  TraceTotals totals;
  std::vector<TracePhase> phases;
  std::optional<CartesianTopology> cartesian;  ///< the first that the program made of all ranks
  ReorderedTopologies reordered_topologies;
  /// From the end of MPI_Init to MPI_Finalize, on the rank where that is longest.
  std::optional<double> wall_seconds;
  bool partial = false;
  std::string run;  ///< of a partial trace: which run its row files belong to, hexadecimal
};

/// What a partial trace has: the rows of a run that did not reach MPI_Finalize, or runs still.
struct PartialRows {
  std::uint32_t ranks = 0;       ///< whose rows are here; the others' are lost, or on their hosts
  std::uint32_t incomplete = 0;  ///< of them, whose row found no place for all peers
};

/// A trace directory, or a single matrix file that stands for one (then only `bytes` is set).
struct Trace {
  std::filesystem::path path;
  TrafficMatrix bytes;
  std::optional<TraceMeta> meta;
  std::optional<JobDescription> job;
  std::optional<PartialRows> partial;  ///< set when `bytes` was merged from the rows of ranks
};

/// What to take from a trace.
struct TraceSelection {
  bool messages = false;             ///< messages.mtx instead of bytes.mtx
  std::optional<std::string> phase;  ///< this phase's matrix (equal names are summed by the writer)
};

/// `path` may be NAME.kith, NAME.kith.partial, NAME (then NAME.kith, then NAME.kith.partial are
/// tried), or any matrix file. Throws Error (input).
Trace read_trace(const std::filesystem::path& path, const TraceSelection& selection = {});
/// The directory of the trace that `path` names, as read_trace() finds it; nothing where it names
/// none, or a matrix file.
std::optional<std::filesystem::path> find_trace(const std::filesystem::path& path);
/// Where the timeline of `path` would be: the directory of its trace, or that beside a profile of
/// KITH_REORDER=auto. Nothing where it names neither.
std::optional<std::filesystem::path> find_timeline(const std::filesystem::path& path);
/// What to know before an order is made of it, one sentence; empty: nothing.
std::string layout_warning(const Trace& trace);
/// That ranks were elsewhere than the launcher put them, as in a run that Kith reordered: what the
/// trace calls its present order is another one. A sentence without its beginning; empty: they were
/// not.
std::string order_note(const Trace& trace);
/// One of classes/{p2p,coll,rma}.bytes.mtx, or messages.mtx, read on demand. Empty when absent.
std::optional<TrafficMatrix> read_trace_part(const Trace& trace, std::string_view file);
/// The bytes of a phase of meta.phases; phases of one name are summed. "2" is also
/// "level 2", where no phase is called "2". Throws Error (input).
TrafficMatrix read_trace_phase(const Trace& trace, const std::string& name);

/// A line of load.csv.
struct RankLoad {
  double cpu_outside_s = 0;  ///< CPU seconds outside MPI
  double cpu_inside_s = 0;   ///< CPU seconds inside MPI
  std::optional<std::uint64_t> instructions;
  std::optional<double> wall_s;  ///< wall seconds; absent in older traces
};
/// By rank: the load of the whole run (phase 0) or of the phase-th of meta.phases. Empty when the
/// trace has no load.csv. Throws Error (input) with file:line.
std::vector<RankLoad> read_trace_load(const Trace& trace, std::size_t phase = 0);
/// Wall seconds of a rank on average: of the whole run, then of each of meta.phases. Empty when the
/// trace does not tell them. Throws Error (input) with file:line.
std::vector<double> read_mean_wall_seconds(const Trace& trace);

/// Messages of one size and class of call, all ranks together.
struct SizeCount {
  std::string call_class;           ///< "p2p", "coll", "neighbour" or "rma"
  std::uint64_t at_most_bytes = 0;  ///< 0, 1, 3, 7, ...: more than half of it, except for 0
  std::uint64_t messages = 0;
};
/// sizes.csv, by class in this order and ascending size. Empty when the trace has none. Throws
/// Error (input) with file:line, or where it has more or fewer messages than meta.json says.
std::vector<SizeCount> read_trace_sizes(const Trace& trace);

/// How much each rank computes: a whole number per line, rank 0 first; '#' comments. Throws Error
/// (input) with file:line.
std::vector<std::uint64_t> read_loads(const std::filesystem::path& path);
/// Where each rank's work lies: a point per line, rank 0 first, as many decimal numbers on each;
/// '#' comments. Throws Error (input) with file:line.
RankCoordinates read_coordinates(const std::filesystem::path& path);
/// The same of a trace's ranks. Loads: CPU time outside MPI in the whole run, in microseconds,
/// empty where read_trace_load() is. Coordinates: places on the grid that the program made of all
/// its ranks; nothing where it made none.
std::vector<std::uint64_t> loads_of(const Trace& trace);
std::optional<RankCoordinates> coordinates_of(const Trace& trace);

/// machine.json and the XML files beside it.
JobDescription read_job(const std::filesystem::path& trace_directory);

/// A mapping file with its header.
struct MappingFile {
  Mapping mapping;
  std::optional<std::string> topology;  ///< header topology=, as text
  /// The same without ;slots= behind it: what Machine::spec() says of that machine.
  std::optional<std::string> whole_topology() const;
  std::optional<std::string> hosts;     ///< header hosts=, absent for "-"
};
/// Each rank 0 .. n-1 exactly once, in any order; '#' comments. Throws Error (input).
MappingFile read_mapping(const std::filesystem::path& path);
/// True when `path` is to be read as a mapping rather than as traffic: a file called *.map,
/// one with the header, or one without a matrix format's ending whose first data line is two whole
/// numbers. False when it cannot be opened.
bool is_mapping_file(const std::filesystem::path& path);
/// True for a mapping that says so by its ending .map or by the header: a matrix in plain text may
/// look like any other.
bool calls_itself_mapping(const std::filesystem::path& path);
/// The text of a mapping file, header included. `hosts` may be empty.
std::string mapping_text(const Mapping& mapping, std::string_view topology, std::string_view hosts);
/// The same into a file. Throws Error (environment).
void write_mapping(const std::filesystem::path& path, const Mapping& mapping,
                   std::string_view topology, std::string_view hosts);

/// Writes `text` to a temporary file beside `path`, flushes, renames: never half written.
/// Throws Error (environment).
void write_file_atomically(const std::filesystem::path& path, std::string_view text);

}  // namespace kith
