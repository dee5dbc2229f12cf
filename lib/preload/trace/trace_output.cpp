#include "trace/trace_output.hpp"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "core/parse_number.hpp"
#include "core/this_process.hpp"
#include "io/format/trace_text.hpp"

namespace kith::preload {
namespace {

namespace fs = std::filesystem;

double in_seconds(std::uint64_t nanoseconds) {
  return static_cast<double>(nanoseconds) * 1e-9;
}

constexpr std::string_view old_suffix = ".old";

// Moves `fresh` to `directory`; an old trace steps aside first and comes back if that fails.
std::string move_into_place(const std::string& fresh, const std::string& directory, bool force) {
  std::error_code error;
  const std::string old = fresh + std::string(old_suffix);
  const bool replaces = force && fs::exists(directory, error);
  if (replaces && rename(directory.c_str(), old.c_str()) != 0) {
    return "cannot replace " + directory + ": " + std::strerror(errno);
  }
  if (rename(fresh.c_str(), directory.c_str()) != 0) {
    const std::string why = std::strerror(errno);
    if (replaces) (void)rename(old.c_str(), directory.c_str());
    return "cannot write " + directory + ": " + why;
  }
  if (replaces) fs::remove_all(old, error);
  return {};
}

/// Process numbers mean something on one host and in one namespace only.
std::string writer_prefix(const std::string& directory) {
  struct stat space {};
  (void)stat("/proc/self/ns/pid", &space);
  return directory + ".writing-" + this_host() + "-" + std::to_string(space.st_ino) + "-";
}

bool has_ended(pid_t process) {
  return kill(process, 0) != 0 && errno == ESRCH;
}

/// Calls `visit(path, is_old)` for each folder that a process left which has ended since. `is_old`:
/// it holds the trace that was to be replaced.
template <class Visit>
void for_each_leftover(const std::string& directory, Visit&& visit) {
  const std::string prefix = writer_prefix(directory);
  std::error_code error;
  for (fs::directory_iterator entry(fs::path(directory).parent_path(), error), end;
       !error && entry != end; entry.increment(error)) {
    const std::string path = entry->path().string();
    if (!path.starts_with(prefix)) continue;
    std::string_view rest = std::string_view(path).substr(prefix.size());
    const bool is_old = rest.ends_with(old_suffix);
    if (is_old) rest.remove_suffix(old_suffix.size());
    const auto process = parse_unsigned(rest);
    if (process && *process <= INT_MAX && has_ended(static_cast<pid_t>(*process))) {
      visit(path, is_old);
    }
  }
}

bool is_trace(const std::string& directory) {
  return access((directory + "/" + trace_names::meta).c_str(), F_OK) == 0;
}

}  // namespace

void clear_leftovers(const std::string& directory) {
  std::vector<std::string> found;
  for_each_leftover(directory, [&](const std::string& path, bool is_old) {
    // A run that ended between two names left the trace that it was to replace.
    const bool is_missing = access(directory.c_str(), F_OK) != 0;
    if (is_old && is_missing && rename(path.c_str(), directory.c_str()) == 0) return;
    found.push_back(path);
  });
  std::error_code error;
  for (const std::string& path : found) fs::remove_all(path, error);
}

bool is_of_this_launch(const std::string& directory, const std::string& number) {
  if (number.empty()) return false;
  for (const std::string& name : {directory, directory + trace_names::partial_suffix}) {
    std::ifstream file(name + "/" + trace_names::meta);
    for (std::string line; std::getline(file, line);) {
      if (line.find("\"launch\"") != line.npos && line.find('"' + number + '"') != line.npos) {
        return true;
      }
    }
  }
  return false;
}

std::string trace_obstacle(const std::string& directory, bool force) {
  const std::string parent = fs::path(directory).parent_path().string();
  for (const std::string& name : {directory, directory + trace_names::partial_suffix}) {
    if (access(name.c_str(), F_OK) != 0) continue;
    if (!force)
      return name +
             " exists already (kith run --trace ... --force replaces it; %p in the name counts up)";
    if (!is_trace(name)) return name + " exists but is not a trace: it is not replaced";
    // In a folder that is open to all it could be moved away, but not removed.
    if (access(name.c_str(), W_OK | X_OK) != 0) {
      return "cannot replace " + name + ": " + std::strerror(errno);
    }
  }
  if (access(parent.c_str(), W_OK | X_OK) != 0) {
    return "cannot write into " + parent + ": " + std::strerror(errno);
  }
  return {};
}

TraceMetaText meta_of(const TraceContent& content) {
  TraceMetaText meta;
  meta.kith_version = KITH_VERSION;
  meta.program = content.program;
  meta.arguments = content.arguments;
  meta.date = content.date;
  meta.job_id = content.job_id;
  meta.directory = content.directory;
  meta.launch = content.launch;
  meta.ranks = static_cast<std::uint32_t>(content.job.processes.size());
  meta.mpi_library = content.mpi_library;
  for (const JobHost& host : content.job.hosts) meta.hosts.push_back(host.name);
  meta.collectives = content.collectives;
  meta.note = content.note;
  meta.cartesian = content.cartesian;
  meta.reordered_topologies = content.reordered_topologies;
  for (std::size_t k = 0; k < content.phases.size(); ++k) {
    meta.phases.push_back({content.phases[k], trace_names::phase_bytes(k + 1), {}});
  }
  return meta;
}

void write_machine(FileSet& files, const JobDescription& job) {
  for (std::size_t i = 0; i < job.hardware.size(); ++i) {
    if (!job.hardware[i].xml.empty()) files.text(trace_names::host_xml(i), job.hardware[i].xml);
  }
  files.text(trace_names::machine, machine_json_text(job));
}

std::string write_trace(const std::string& directory, const TraceContent& content, bool force,
                        const StreamRows& stream, const StreamTimelines& timelines) {
  const FileSizeSignalBlocked guard;
  const std::string fresh = writer_prefix(directory) + std::to_string(getpid());
  FileSet files(fresh);
  try {
    TraceMetaText meta = meta_of(content);
    {
      SectionWriter writer(files, meta.ranks, meta.phases.size());
      stream(writer);
      meta.totals = writer.totals();
      meta.wall_seconds = in_seconds(writer.most_wall_ns(0));
      for (std::size_t k = 0; k < meta.phases.size(); ++k) {
        meta.phases[k].wall_seconds = in_seconds(writer.most_wall_ns(k + 1));
      }
    }
    if (timelines) meta.timeline = timelines(files);
    write_machine(files, content.job);
    files.text(trace_names::meta, meta_json_text(meta));
    if (files.ok() && !force && access(directory.c_str(), F_OK) == 0) {
      files.fail(directory + " appeared during the run: it is not replaced");
    }
    files.flush();
    if (files.ok()) files.fail(move_into_place(fresh, directory, force));
  } catch (...) {
    files.remove_all();
    throw;
  }
  if (!files.ok()) files.remove_all();
  return files.problem();
}

}  // namespace kith::preload
