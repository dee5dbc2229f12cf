#include "kith-engine/job_cpus.hpp"

#include <sched.h>

#include <algorithm>

#include "core/this_process.hpp"

namespace kith::tools {
namespace {

CpuSet cpus_on(const JobDescription& job, const std::string& host) {
  CpuSet cpus;
  for (const JobProcess& process : job.processes) {
    if (process.host < job.hosts.size() && job.hosts[process.host].name == host) {
      cpus = united(cpus, process.cpus);
    }
  }
  return cpus;
}

bool run_on(const CpuSet& cpus) {
  const auto count = static_cast<int>(cpus.ranges().back().last) + 1;
  cpu_set_t* const set = CPU_ALLOC(static_cast<std::size_t>(count));
  if (set == nullptr) return false;
  const std::size_t size = CPU_ALLOC_SIZE(static_cast<std::size_t>(count));
  CPU_ZERO_S(size, set);
  for (const CpuSet::Range& range : cpus.ranges()) {
    for (std::uint32_t cpu = range.first; cpu <= range.last; ++cpu) CPU_SET_S(cpu, size, set);
  }
  const bool done = sched_setaffinity(0, size, set) == 0;
  CPU_FREE(set);
  return done;
}

}  // namespace

unsigned use_cpus_of_job(const JobDescription& job) {
  const CpuSet cpus = cpus_on(job, this_host());
  if (cpus.empty() || !run_on(cpus)) return 1;
  // The kernel leaves out those that this process may not use.
  return std::max<unsigned>(1, static_cast<unsigned>(allowed_cpus().size()));
}

}  // namespace kith::tools
