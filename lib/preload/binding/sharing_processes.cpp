#include "binding/sharing_processes.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/cpu_list.hpp"
#include "core/file_content.hpp"
#include "core/parse_number.hpp"

namespace kith::preload {
namespace {

/// How a launcher tells a process its place on the host.
struct LauncherVariables {
  const char* local_rank;
  const char* local_size;
  const char* job;  ///< null: processes below one that has no local rank are a job
};
constexpr LauncherVariables launchers[] = {
    {"OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE", "PMIX_NAMESPACE"},
    {"MPI_LOCALRANKID", "MPI_LOCALNRANKS", nullptr},
    {"SLURM_LOCALID", "SLURM_STEP_TASKS_PER_NODE", "SLURM_JOB_ID"},
};

/// Of an environment as /proc has it.
std::optional<std::string_view> value_in(std::string_view environment, std::string_view name) {
  while (!environment.empty()) {
    const std::size_t end = std::min(environment.find('\0'), environment.size());
    const std::string_view line = environment.substr(0, end);
    if (line.size() > name.size() && line.starts_with(name) && line[name.size()] == '=') {
      return line.substr(name.size() + 1);
    }
    environment.remove_prefix(std::min(end + 1, environment.size()));
  }
  return std::nullopt;
}

/// "Name:<tab>value" in /proc/PID/status.
std::string_view status_line(std::string_view status, std::string_view name) {
  const std::size_t at = status.find(name);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = status.substr(at + name.size());
  return rest.substr(0, rest.find('\n'));
}

/// The other processes of this job on this host.
class LocalProcesses {
 public:
  LocalProcesses(const LauncherVariables& launcher, const CpuSet& own)
      : launcher_(launcher),
        own_(own),
        job_(launcher.job == nullptr ? "" : text_of(launcher.job)),
        rank_(static_cast<std::uint32_t>(std::atoi(text_of(launcher.local_rank).c_str()))) {}

  std::uint32_t local_rank() const { return rank_; }
  /// 0: not known. Slurm's "4(x2)" is 4 on each host; of other lists nothing is known.
  std::uint32_t local_size() const {
    const std::string text = text_of(launcher_.local_size);
    if (text.find(',') != std::string::npos) return 0;
    return static_cast<std::uint32_t>(std::atoi(text.c_str()));
  }

  /// Whether each other local rank that can be seen shares our CPUs: by its process with the
  /// fewest, as a script that starts the program may be bound to more.
  std::map<std::uint32_t, bool> look() const {
    std::map<std::uint32_t, CpuSet> cpus_of;
    std::map<std::uint32_t, bool> found;
    DIR* const processes = opendir("/proc");
    if (processes == nullptr) return found;
    while (const dirent* const entry = readdir(processes)) {
      const auto pid = parse_unsigned(entry->d_name);
      if (pid && *pid != static_cast<std::uint64_t>(getpid())) look_at(entry->d_name, cpus_of);
    }
    closedir(processes);
    for (const auto& [rank, cpus] : cpus_of) found[rank] = !intersected(cpus, own_).empty();
    return found;
  }

 private:
  static std::string text_of(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
  }

  void look_at(const char* pid, std::map<std::uint32_t, CpuSet>& cpus_of) const {
    const std::string folder = std::string("/proc/") + pid;
    struct stat owner {};
    if (stat(folder.c_str(), &owner) != 0 || owner.st_uid != geteuid()) return;
    const std::string environment = file_content(folder + "/environ");
    const auto rank_text = value_in(environment, launcher_.local_rank);
    const auto rank = rank_text ? parse_unsigned(*rank_text) : std::nullopt;
    if (!rank || *rank == rank_ || !is_of_our_job(environment, pid)) return;
    CpuSet cpus =
        cpus_of_list(status_line(file_content(folder + "/status"), "Cpus_allowed_list:\t"));
    CpuSet& fewest = cpus_of[static_cast<std::uint32_t>(*rank)];
    if (fewest.empty() || cpus.size() < fewest.size()) fewest = std::move(cpus);
  }

  bool is_of_our_job(std::string_view environment, const char* pid) const {
    if (launcher_.job == nullptr) return launcher_of(pid) == launcher_of("self");
    if (value_in(environment, launcher_.job).value_or(std::string_view()) != job_) return false;
    // Slurm's steps of one job.
    return value_in(environment, "SLURM_STEP_ID").value_or(std::string_view()) ==
           text_of("SLURM_STEP_ID");
  }

  /// The nearest process above that has no local rank.
  std::string launcher_of(const char* pid) const {
    std::string process = pid;
    for (int height = 0; height < 32; ++height) {
      const std::string status = file_content("/proc/" + process + "/status");
      process = status_line(status, "PPid:\t");
      if (process.empty() || process == "0") break;
      if (!value_in(file_content("/proc/" + process + "/environ"), launcher_.local_rank)) break;
    }
    return process;
  }

  const LauncherVariables& launcher_;
  const CpuSet& own_;
  std::string job_;
  std::uint32_t rank_;
};

bool is_whole_host(const CpuSet& own) {
  const long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online > 0 && own.size() == static_cast<std::uint64_t>(online);
}

}  // namespace

SharingProcesses find_sharing_processes(const CpuSet& own) {
  for (const LauncherVariables& launcher : launchers) {
    if (std::getenv(launcher.local_rank) == nullptr) continue;
    const LocalProcesses processes(launcher, own);
    const std::uint32_t size = processes.local_size();
    auto found = processes.look();
    for (int left = 15; left > 0 && found.size() + 1 < size; --left) {
      constexpr unsigned pause_us = 20'000;
      usleep(pause_us);
      found = processes.look();
    }
    for (std::uint32_t rank = 0; rank < size && is_whole_host(own); ++rank) {
      if (rank != processes.local_rank()) found.try_emplace(rank, true);
    }
    SharingProcesses sharing;
    for (const auto& [rank, shares] : found) {
      if (!shares) continue;
      ++sharing.count;
      if (rank < processes.local_rank()) ++sharing.position;
    }
    return sharing;
  }
  return {};
}

}  // namespace kith::preload
