#include "machine/binding/binding_judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "kith/error.hpp"
#include "machine/binding/binding_rules.hpp"

namespace kith {
namespace {

/// What the rules see of a process, without its numbers.
using Seen = std::tuple<CpuSet, std::uint32_t, std::string, CpuSet, CpuSet, std::string, CpuSet,
                        std::uint32_t>;

/// Of hosts of one kind: what their processes were given, in the job's order. Equal ones are judged
/// once.
struct Pattern {
  std::uint32_t hardware = 0;
  std::vector<Seen> processes;
  auto operator<=>(const Pattern&) const = default;
};

std::uint32_t sharing_threads_of(std::uint32_t rank, std::span<const SharingThreads> sharing) {
  const auto at = std::ranges::lower_bound(sharing, rank, {}, &SharingThreads::rank);
  return at != sharing.end() && at->rank == rank ? at->threads : 0;
}

/// The processes of each host, where all their CPUs are known; else none.
std::vector<std::vector<const JobProcess*>> processes_by_host(const JobDescription& job) {
  std::vector<std::vector<const JobProcess*>> by_host(job.hosts.size());
  for (const JobProcess& process : job.processes) {
    if (process.host < by_host.size()) by_host[process.host].push_back(&process);
  }
  for (auto& processes : by_host) {
    const auto is_unknown = [](const JobProcess* process) { return process->cpus.empty(); };
    if (std::ranges::any_of(processes, is_unknown)) processes.clear();
  }
  return by_host;
}

}  // namespace

std::vector<BindingFault> judge_bindings(const JobDescription& job,
                                         std::span<const SharingThreads> sharing) {
  const auto by_host = processes_by_host(job);
  std::map<Pattern, std::vector<std::uint32_t>> alike;
  for (std::uint32_t host = 0; host < by_host.size(); ++host) {
    if (by_host[host].empty() || job.hosts[host].hardware >= job.hardware.size()) continue;
    Pattern pattern{job.hosts[host].hardware, {}};
    for (const JobProcess* process : by_host[host]) {
      pattern.processes.emplace_back(process->cpus, process->threads, process->gpus,
                                     process->gpu_cpus, process->nic_cpus, process->near_nics,
                                     process->end_cpus, sharing_threads_of(process->rank, sharing));
    }
    alike[std::move(pattern)].push_back(host);
  }
  std::vector<std::optional<HostShape>> shapes(job.hardware.size());
  std::map<std::pair<std::size_t, std::uint32_t>, BindingFault> found;  // by rule, by first host
  for (const auto& [pattern, hosts] : alike) {
    auto& shape = shapes[pattern.hardware];
    if (!shape) shape = shape_of(job.hardware[pattern.hardware]);
    if (shape->cores() == 0) continue;
    HostBinding binding = binding_of(*shape, by_host[hosts.front()]);
    for (BoundRank& rank : binding.ranks) {
      rank.sharing_threads = sharing_threads_of(rank.rank, sharing);
    }
    const auto rules = binding_rules();
    for (std::size_t r = 0; r < rules.size(); ++r) {
      auto finding = rules[r].judge(binding);
      if (!finding) continue;
      BindingFault& fault = found[{r, hosts.front()}];
      fault = {rules[r].name,
               std::move(finding->ranks),
               {},
               std::move(finding->what),
               std::move(finding->mend)};
      for (const std::uint32_t host : hosts) fault.hosts.push_back(job.hosts[host].name);
    }
  }
  std::vector<BindingFault> faults;
  for (auto& [place, fault] : found) faults.push_back(std::move(fault));
  return faults;
}

std::string in_words(const BindingFault& fault) {
  const std::size_t others = fault.hosts.size() - 1;
  return fmt::format(
      "on {}{}: {}", fault.hosts.front(),
      others > 0 ? fmt::format(", and {} more host{} alike", others, others == 1 ? "" : "s") : "",
      fault.what);
}

}  // namespace kith
