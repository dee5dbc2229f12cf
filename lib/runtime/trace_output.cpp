#include "runtime/trace_output.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <functional>

#include "io/format/mtx_writer.hpp"
#include "io/format/trace_names.hpp"
#include "io/format/trace_text.hpp"
#include "runtime/file_size_signal.hpp"

namespace kith::runtime {
namespace {

namespace fs = std::filesystem;
using record::RowCell;
using record::TrafficClass;

/// Writes the files of one directory; the first failure stays and stops the rest.
class FileSet {
 public:
  explicit FileSet(std::string directory) : directory_(std::move(directory)) {}

  void make_directory(const std::string& name) {
    if (!problem_.empty()) return;
    if (mkdir(path(name).c_str(), 0777) != 0) {
      fail(path(name), std::strerror(errno));
    } else {
      made_.push_back(path(name));
    }
  }

  void text(const std::string& name, const std::string& content) {
    with_file(name, [&](int fd) {
      FdWriter out(fd);
      out.text(content);
      return out.flush() ? std::string() : out.error();
    });
  }

  /// `cells(rank)` gives a rank's cells, `value` picks the number; cells of value 0 are left out.
  void matrix(const std::string& name, std::size_t ranks,
              const std::function<record::Cells(std::size_t)>& cells,
              const std::function<std::uint64_t(const RowCell&)>& value, const char* comment) {
    std::uint64_t entries = 0;
    for (std::size_t rank = 0; rank < ranks; ++rank) {
      for (const RowCell& cell : cells(rank)) entries += value(cell) != 0 ? 1 : 0;
    }
    with_file(name, [&](int fd) {
      MtxWriter out(fd, static_cast<std::uint32_t>(ranks), entries, MtxSymmetry::general, comment);
      for (std::size_t rank = 0; rank < ranks; ++rank) {
        for (const RowCell& cell : cells(rank)) {
          const std::uint64_t weight = value(cell);
          if (weight != 0) out.entry(static_cast<std::uint32_t>(rank), cell.peer, weight);
        }
      }
      return out.finish() ? std::string() : out.error();
    });
  }

  const std::string& problem() const { return problem_; }

  /// Removes what was made, newest first; needs no descriptor.
  void remove_all() {
    for (; !made_.empty(); made_.pop_back()) (void)::remove(made_.back().c_str());
  }

 private:
  std::string path(const std::string& name) const {
    return name.empty() ? directory_ : directory_ + "/" + name;
  }

  void fail(const std::string& where, const std::string& why) {
    if (problem_.empty()) problem_ = "cannot write " + where + ": " + why;
  }

  void with_file(const std::string& name, const std::function<std::string(int)>& write_to) {
    if (!problem_.empty()) return;
    const int fd = open(path(name).c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0) {
      fail(path(name), std::strerror(errno));
      return;
    }
    made_.push_back(path(name));
    const std::string why = write_to(fd);
    if (!why.empty()) fail(path(name), why);
    if (fsync(fd) != 0 && errno != EINVAL && errno != EROFS) fail(path(name), std::strerror(errno));
    if (close(fd) != 0) fail(path(name), std::strerror(errno));
  }

  std::string directory_;
  std::string problem_;
  std::vector<std::string> made_;
};

TraceMetaText meta_text(const TraceContent& content) {
  TraceMetaText meta;
  meta.kith_version = KITH_VERSION;
  meta.program = content.program;
  meta.ranks = static_cast<std::uint32_t>(content.traffic.size());
  meta.mpi_library = content.mpi_library;
  for (const JobHost& host : content.job.hosts) meta.hosts.push_back(host.name);
  meta.collectives = content.collectives;
  const std::array<std::uint64_t*, record::class_count> class_totals{
      &meta.totals.p2p_bytes, &meta.totals.coll_bytes, &meta.totals.rma_bytes};
  for (const RankTraffic& rank : content.traffic) {
    for (const RowCell& cell : rank.total.sent) {
      for (const TrafficClass c : record::traffic_classes) {
        *class_totals[static_cast<std::size_t>(c)] += cell[c];
      }
      meta.totals.bytes += cell.total_bytes();
      meta.totals.messages += cell.messages;
    }
  }
  return meta;
}

MachineText machine_text(const JobDescription& job) {
  MachineText machine;
  for (const JobHost& host : job.hosts) machine.hosts.push_back({host.name, host.hardware});
  for (std::size_t i = 0; i < job.hardware.size(); ++i) {
    const bool known = !job.hardware[i].xml.empty();
    machine.hardware.push_back(
        {job.hardware[i].digest, known ? trace_names::host_xml(i) : std::string()});
  }
  for (const JobProcess& process : job.processes) {
    machine.processes.push_back({process.rank, process.host, process.cpus});
  }
  return machine;
}

// Phases of equal names share a matrix; the order is that of first appearance.
std::vector<std::vector<std::size_t>> phases_by_name(const std::vector<RankTraffic>& traffic,
                                                     TraceMetaText& meta) {
  std::vector<std::vector<std::size_t>> members;
  const std::vector<Phase>& phases = traffic.front().phases;
  for (std::size_t i = 0; i < phases.size(); ++i) {
    std::size_t k = 0;
    while (k < members.size() && phases[members[k].front()].name != phases[i].name) ++k;
    if (k == members.size()) {
      members.emplace_back();
      meta.phases.push_back({phases[i].name, trace_names::phase_bytes(k + 1)});
    }
    members[k].push_back(i);
  }
  return members;
}

void write_phases(FileSet& files, const TraceContent& content, TraceMetaText& meta) {
  const auto members = phases_by_name(content.traffic, meta);
  if (members.empty()) return;
  files.make_directory(trace_names::phases_directory);
  for (std::size_t k = 0; k < members.size(); ++k) {
    files.matrix(
        meta.phases[k].file, content.traffic.size(),
        [&](std::size_t rank) {
          record::Cells sum;
          for (const std::size_t i : members[k]) {
            const std::vector<Phase>& own = content.traffic[rank].phases;
            if (i < own.size()) record::add_to(sum, own[i].row.sent);
          }
          return sum;
        },
        &RowCell::total_bytes, "bytes in one phase of the run, by sender and receiver");
  }
}

void write_all(FileSet& files, const TraceContent& content) {
  files.make_directory("");
  files.make_directory(trace_names::classes_directory);
  const std::size_t ranks = content.traffic.size();
  const auto cells = [&](std::size_t rank) { return content.traffic[rank].total.sent; };
  const auto of_class = [](TrafficClass c) { return [c](const RowCell& cell) { return cell[c]; }; };
  files.matrix(trace_names::bytes, ranks, cells, &RowCell::total_bytes,
               "bytes by sender and receiver: point-to-point, collective-internal, one-sided");
  files.matrix(trace_names::messages, ranks, cells, &RowCell::messages,
               "messages by sender and receiver");
  files.matrix(trace_names::p2p_bytes, ranks, cells, of_class(TrafficClass::p2p),
               "point-to-point bytes");
  files.matrix(trace_names::coll_bytes, ranks, cells, of_class(TrafficClass::coll),
               "bytes inside collectives");
  files.matrix(trace_names::rma_bytes, ranks, cells, of_class(TrafficClass::rma),
               "one-sided bytes");
  TraceMetaText meta = meta_text(content);
  write_phases(files, content, meta);
  for (std::size_t i = 0; i < content.job.hardware.size(); ++i) {
    if (!content.job.hardware[i].xml.empty()) {
      files.text(trace_names::host_xml(i), content.job.hardware[i].xml);
    }
  }
  files.text(trace_names::machine, machine_json_text(machine_text(content.job)));
  files.text(trace_names::meta, meta_json_text(meta));
}

// Moves `fresh` to `directory`; an old trace steps aside first and comes back if that fails.
std::string move_into_place(const std::string& fresh, const std::string& directory, bool force) {
  std::error_code error;
  const std::string old = fresh + ".old";
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

bool is_trace(const std::string& directory) {
  return access((directory + "/" + trace_names::meta).c_str(), F_OK) == 0;
}

}  // namespace

std::string trace_directory(const std::string& setting) {
  std::string path = fs::absolute(setting).lexically_normal().string();
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  if (!path.ends_with(trace_names::directory_suffix)) path += trace_names::directory_suffix;
  return path;
}

std::string trace_obstacle(const std::string& directory, bool force) {
  const std::string parent = fs::path(directory).parent_path().string();
  if (access(directory.c_str(), F_OK) == 0) {
    if (!force) return directory + " exists already (kith run --trace ... --force replaces it)";
    if (!is_trace(directory)) return directory + " exists and is no trace: it is not replaced";
  }
  if (access(parent.c_str(), W_OK | X_OK) != 0) {
    return "cannot write into " + parent + ": " + std::strerror(errno);
  }
  return {};
}

std::string write_trace(const std::string& directory, const TraceContent& content, bool force) {
  const FileSizeSignalBlocked guard;
  const std::string fresh = directory + ".writing-" + std::to_string(getpid());
  FileSet files(fresh);
  std::string problem;
  try {
    write_all(files, content);
    problem = files.problem();
    if (problem.empty()) {
      if (!force && access(directory.c_str(), F_OK) == 0) {
        problem = directory + " has appeared during the run: it is not replaced";
      } else {
        problem = move_into_place(fresh, directory, force);
      }
    }
  } catch (...) {
    files.remove_all();
    throw;
  }
  if (!problem.empty()) files.remove_all();
  return problem;
}

}  // namespace kith::runtime
