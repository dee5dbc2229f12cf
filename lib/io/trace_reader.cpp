// Trace directories, and single matrix files that stand for one.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "core/did_you_mean.hpp"
#include "core/plain_text.hpp"
#include "io/format/trace_text.hpp"
#include "io/matrix_formats.hpp"
#include "io/trace_files.hpp"
#include "kith/io.hpp"

namespace kith {
namespace {

namespace fs = std::filesystem;

bool directory_exists(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

bool path_exists(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

bool is_trace(const fs::path& path) {
  return directory_exists(path) && path_exists(path / trace_names::meta);
}

/// "NAME" or "NAME/" with a suffix: a file beside it.
fs::path with_suffix(fs::path path, const char* suffix) {
  if (!path.has_filename()) path = path.parent_path();
  path += suffix;
  return path;
}

CartesianTopology read_cartesian(const JsonNode& node, std::uint32_t ranks) {
  CartesianTopology found;
  const JsonNode dims = node.at("dims");
  std::uint64_t places = 1;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    const std::uint64_t extent = dims.item(d).number(max_index_count);
    if (extent == 0 || places * extent > ranks) break;
    places *= extent;
    found.dims.push_back(static_cast<std::uint32_t>(extent));
  }
  if (found.dims.empty() || found.dims.size() != dims.size() || places != ranks) {
    throw dims.error("extents of " + std::to_string(ranks) + " ranks in all");
  }
  const JsonNode periods = node.at("periods");
  if (periods.size() != dims.size()) throw periods.error("0 or 1 for each of dims");
  for (std::size_t d = 0; d < dims.size(); ++d) {
    found.periods.push_back(periods.item(d).number(1) == 1);
  }
  const JsonNode order = node.at("ranks");
  if (order.is_null()) return found;
  std::vector<bool> seen(ranks, false);
  if (order.size() != ranks) throw order.error("null, or each of the ranks once");
  for (std::size_t place = 0; place < ranks; ++place) {
    const JsonNode rank = order.item(place);
    found.ranks.push_back(rank.index(ranks, "ranks"));
    if (seen[found.ranks.back()]) throw rank.error("each rank once");
    seen[found.ranks.back()] = true;
  }
  return found;
}

TraceMeta read_meta(const fs::path& trace) {
  const JsonFile file(trace / trace_names::meta);
  const JsonNode root = file.root();
  check_trace_format(root);
  TraceMeta meta;
  const JsonNode ranks = root.at("ranks");
  meta.ranks = static_cast<std::uint32_t>(ranks.number(max_index_count));
  if (meta.ranks == 0) throw ranks.error("at least 1 rank");
  const auto read_text = [&](const char* name, std::string& into) {
    if (const auto node = root.find(name)) into = node->text();
  };
  read_text("kith_version", meta.kith_version);
  read_text("program", meta.program);
  read_text("date", meta.date);
  read_text("job_id", meta.job_id);
  read_text("directory", meta.directory);
  if (const auto arguments = root.find("arguments")) {
    for (std::size_t i = 0; i < arguments->size(); ++i) {
      meta.arguments.push_back(arguments->item(i).text());
    }
  }
  read_text("mpi_library", meta.mpi_library);
  read_text("run", meta.run);
  if (const auto partial = root.find("partial")) meta.partial = partial->truth();
  if (const auto hosts = root.find("hosts")) {
    for (std::size_t i = 0; i < hosts->size(); ++i) meta.hosts.push_back(hosts->item(i).text());
  }
  if (const auto sources = root.find("sources")) {
    if (const auto collectives = sources->find("collectives")) {
      meta.collectives = collectives->text();
    }
    if (const auto note = sources->find("note")) meta.note = note->text();
  }
  if (const auto cartesian = root.find("cartesian")) {
    meta.cartesian = read_cartesian(*cartesian, meta.ranks);
  }
  if (const auto reordered = root.find("reordered_topologies")) {
    meta.reordered_topologies.count = reordered->at("count").number();
    meta.reordered_topologies.of_world = reordered->at("of_world").number();
  }
  if (const auto seconds = root.find("wall_seconds")) meta.wall_seconds = seconds->real();
  if (const auto totals = root.find("totals")) {
    for (const char* name : {"bytes", "p2p_bytes", "coll_bytes", "rma_bytes"}) {
      if (const auto total = totals->find(name)) (void)total->number();
    }
    const auto read_total = [&](const char* name, std::optional<std::uint64_t>& into) {
      if (const auto total = totals->find(name)) into = total->number();
    };
    read_total("messages", meta.totals.messages);
    read_total("neighbour_bytes", meta.totals.neighbour_bytes);
    read_total("self_messages", meta.totals.self_messages);
    read_total("foreign_bytes", meta.totals.foreign_bytes);
    read_total("foreign_messages", meta.totals.foreign_messages);
  }
  if (const auto phases = root.find("phases")) {
    for (std::size_t i = 0; i < phases->size(); ++i) {
      const JsonNode phase = phases->item(i);
      const JsonNode name_of_file = phase.at("file");
      check_inside_trace(name_of_file);
      meta.phases.push_back({phase.at("name").text(), name_of_file.text(), {}});
      if (const auto seconds = phase.find("wall_seconds")) {
        meta.phases.back().wall_seconds = seconds->real();
      }
    }
  }
  return meta;
}

/// A matrix of the trace, which must be of the ranks that meta.json says.
TrafficMatrix read_part(const fs::path& trace, const TraceMeta& meta, const std::string& name) {
  const fs::path file = trace / name;
  check_regular(file);
  TrafficMatrix matrix = read_matrix(file);
  if (matrix.ranks() != meta.ranks) {
    throw bad_input(file.string(),
                    std::to_string(meta.ranks) + " ranks, as " + trace_names::meta + " says",
                    std::to_string(matrix.ranks()));
  }
  return matrix;
}

TrafficMatrix sum(const TrafficMatrix& a, const TrafficMatrix& b) {
  TrafficMatrixBuilder builder(a.ranks(), a.entries() + b.entries());
  for (const TrafficMatrix* matrix : {&a, &b}) {
    for (std::uint32_t r = 0; r < matrix->ranks(); ++r) {
      const auto destinations = matrix->destinations(Rank{r});
      const auto weights = matrix->weights(Rank{r});
      for (std::size_t i = 0; i < destinations.size(); ++i) {
        builder.add(Rank{r}, destinations[i], weights[i]);
      }
    }
  }
  return builder.build();
}

TrafficMatrix read_phase(const fs::path& trace, const TraceMeta& meta, const std::string& wanted) {
  std::optional<TrafficMatrix> matrix;
  std::string names;
  std::vector<std::string> candidates;
  for (const TracePhase& phase : meta.phases) {
    names += (names.empty() ? "" : ", ") + in_quotes(phase.name);
    candidates.push_back(phase.name);
  }
  // The program wrote MPI_Pcontrol(2), and the phase is called "level 2".
  const std::string level = "level " + wanted;
  const std::string& name = std::ranges::count(candidates, wanted) == 0 ? level : wanted;
  for (const TracePhase& phase : meta.phases) {
    if (phase.name != name) continue;
    if (!path_exists(trace / phase.file)) {
      throw bad_input((trace / phase.file).string(), "the bytes of phase " + in_quotes(name),
                      "no such file");
    }
    TrafficMatrix part = read_part(trace, meta, phase.file);
    matrix = matrix ? sum(*matrix, part) : std::move(part);
  }
  if (!matrix) {
    throw bad_input("phase of " + trace.string(),
                    names.empty() ? "none, as the trace has no phases" : "one of " + names,
                    in_quotes(wanted) + did_you_mean(wanted, candidates));
  }
  return *std::move(matrix);
}

/// The folder beside a profile of KITH_REORDER=auto.
std::optional<fs::path> companion_of(const fs::path& path) {
  if (path.extension() != ".mtx") return std::nullopt;
  fs::path folder = path;
  folder.replace_extension(trace_names::companion_suffix);
  return directory_exists(folder) ? std::optional(folder) : std::nullopt;
}

void check_processes(const JobDescription& job, const fs::path& folder, std::uint32_t ranks,
                     const std::string& says) {
  if (job.processes.size() == ranks) return;
  throw bad_input((folder / trace_names::machine).string() + ": /ranks",
                  std::to_string(ranks) + " ranks, as " + says + " says",
                  std::to_string(job.processes.size()));
}

Trace read_directory(const fs::path& path, const TraceSelection& selection) {
  Trace trace;
  trace.path = path;
  trace.meta = read_meta(path);
  if (selection.phase && selection.messages) {
    throw bad_input("phase of " + path.string(), "bytes, as phases have no message counts",
                    "messages");
  }
  const char* const file = selection.messages ? trace_names::messages : trace_names::bytes;
  if (selection.phase) {
    trace.bytes = read_phase(path, *trace.meta, *selection.phase);
  } else if (is_partial(path, *trace.meta)) {
    PartialMatrix merged = *read_partial(path, *trace.meta, file);
    trace.bytes = std::move(merged.matrix);
    trace.partial = merged.rows;
  } else {
    trace.bytes = read_part(path, *trace.meta, file);
  }
  if (path_exists(path / trace_names::machine)) {
    trace.job = read_job(path);
    check_processes(*trace.job, path, trace.meta->ranks, trace_names::meta);
  }
  return trace;
}

Trace read_single(const fs::path& path, const TraceSelection& selection) {
  if (selection.phase) {
    throw bad_input("phase of " + path.string(), "a trace directory", "a single matrix");
  }
  Trace trace;
  trace.path = path;
  if (!selection.messages) {
    trace.bytes = read_matrix(path);
    const auto companion = companion_of(path);
    if (companion && path_exists(*companion / trace_names::machine)) {
      trace.job = read_job(*companion);
      check_processes(*trace.job, *companion, trace.bytes.ranks(), path.filename().string());
    }
    return trace;
  }
  // Of the single files only those of Open MPI's monitoring count messages, too.
  const bool prof = format_of_name(path) == MatrixFormat::prof ||
                    ((directory_exists(path) || !path_exists(path)) && has_prof_files(path));
  if (!prof) {
    throw bad_input("messages of " + path.string(), "a trace directory or .prof files",
                    "a single matrix");
  }
  trace.bytes = read_prof(path, ProfCount::messages);
  return trace;
}

/// A file without a known ending or content, such as the program itself, gives way to its trace.
bool is_matrix_file(const fs::path& path) {
  if (format_of_name(path)) return true;
  LineReader in(path);
  const std::string_view head = in.head();
  return format_of_content(head, in.bytes() == head.size()).has_value();
}

/// The trace that NAME stands for: NAME.kith, or what is left of a run that did not end.
std::optional<fs::path> trace_of_name(const fs::path& path) {
  const fs::path whole = with_suffix(path, trace_names::directory_suffix);
  for (const fs::path& candidate : {whole, with_suffix(whole, trace_names::partial_suffix),
                                    with_suffix(path, trace_names::partial_suffix)}) {
    if (is_trace(candidate)) return candidate;
  }
  return std::nullopt;
}

}  // namespace

std::optional<fs::path> find_trace(const fs::path& path) {
  if (is_trace(path)) return path;
  const auto found = trace_of_name(path);
  if (!found || !path_exists(path)) return found;
  const bool holds_a_matrix = directory_exists(path) ? has_prof_files(path) : is_matrix_file(path);
  return holds_a_matrix ? std::nullopt : found;
}

std::optional<fs::path> find_timeline(const fs::path& path) {
  const auto trace = find_trace(path);
  return trace ? trace : companion_of(path);
}

namespace {

/// What may not be looked at must not be called missing.
void check_permission(const fs::path& path) {
  const bool is_hidden = ::access(path.c_str(), F_OK) != 0 && errno == EACCES;
  const bool is_closed = directory_exists(path) && ::access(path.c_str(), R_OK | X_OK) != 0;
  if (!is_hidden && !is_closed) return;
  throw bad_input(path.string(), "a trace or a matrix file that may be read",
                  "one without permission (" + std::generic_category().message(EACCES) + ")");
}

}  // namespace

Trace read_trace(const fs::path& path, const TraceSelection& selection) {
  check_permission(path);
  if (const auto trace = find_trace(path)) return read_directory(*trace, selection);
  const bool is_directory = directory_exists(path);
  if ((path_exists(path) && !is_directory) || has_prof_files(path)) {
    return read_single(path, selection);
  }
  if (is_directory) {
    throw bad_input(path.string(),
                    std::string("a trace (a directory with ") + trace_names::meta +
                        ") or a directory with .prof files",
                    "a directory with neither");
  }
  const fs::path whole = with_suffix(path, trace_names::directory_suffix);
  if (directory_exists(whole)) return read_trace(whole, selection);
  throw bad_input(path.string(), "a trace or a matrix file",
                  "nothing of this name" + (path.extension() == trace_names::directory_suffix
                                                ? std::string()
                                                : ", nor " + whole.string()));
}

std::optional<TrafficMatrix> read_trace_part(const Trace& trace, std::string_view file) {
  if (!trace.meta || !is_inside(file)) return std::nullopt;
  if (trace.partial) {
    auto merged = read_partial(trace.path, *trace.meta, file);
    return merged ? std::optional(std::move(merged->matrix)) : std::nullopt;
  }
  if (!path_exists(trace.path / file)) return std::nullopt;
  return read_part(trace.path, *trace.meta, std::string(file));
}

TrafficMatrix read_trace_phase(const Trace& trace, const std::string& name) {
  return read_phase(trace.path, trace.meta.value_or(TraceMeta()), name);
}

std::string layout_warning(const Trace& trace) {
  if (!trace.meta || trace.meta->reordered_topologies.count == 0) return "";
  return "the traffic was recorded with topologies reordered by Kith: for the order of the plain "
         "run record with KITH_REORDER_TOPOLOGIES=off; runs with this one need =on";
}

std::string order_note(const Trace& trace) {
  if (!trace.job) return "";
  const std::vector<JobProcess>& processes = trace.job->processes;
  std::size_t moved = 0;
  for (std::size_t j = 0; j < processes.size(); ++j) moved += processes[j].rank == j ? 0 : 1;
  if (moved == 0) return "";
  return "recorded in a reordered run: " + std::to_string(moved) + " of " +
         std::to_string(processes.size()) + " ranks were not where the launcher put them";
}

}  // namespace kith
