#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "inputs.hpp"
#include "io/format/trace_text.hpp"
#include "kith/error.hpp"
#include "kith/io.hpp"
#include "machine/hwloc/hwloc_topology.hpp"
#include "machine/source/host_slots.hpp"
#include "map/map_output.hpp"
#include "threads/binding_plan.hpp"

namespace kith::tools {
namespace {

constexpr const char* option = "--threads-of";

const JobProcess& process_of(const JobDescription& job, std::uint32_t rank) {
  for (const JobProcess& process : job.processes) {
    if (process.rank == rank) return process;
  }
  throw bad_input(option, fmt::format("a rank below {}", job.processes.size()),
                  fmt::format("{}", rank));
}

/// The host of the rank, and of it what the rank may use: "hwloc:FILE;slots=0-3".
std::string machine_of(const JobDescription& job, const JobProcess& process,
                       Granularity granularity) {
  const JobHardware& hardware = job.hardware[job.hosts[process.host].hardware];
  if (hardware.xml.empty()) {
    throw bad_input(option,
                    "--topology with it: the trace does not know the hardware of the rank's host",
                    "none");
  }
  const HwlocTopology topology = load_xml(hardware.xml, hardware.origin);
  const HostSlots host = host_slots(topology.get(), granularity, "hwloc", "hwloc", option);
  std::string slots;
  for (std::size_t slot = 0; slot < host.cpus.size(); ++slot) {
    if (!process.cpus.empty() && intersected(host.cpus[slot], process.cpus).empty()) continue;
    slots += (slots.empty() ? "" : ",") + std::to_string(slot);
  }
  return fmt::format("hwloc:{};slots={}", std::filesystem::absolute(hardware.origin).string(),
                     slots);
}

/// "{0},{2-3}" as OMP_PLACES has it: "{0},{2,3}".
std::string open_mp_places(const std::vector<CpuSet>& cpus_of_threads) {
  std::vector<std::string> places;
  for (const CpuSet& cpus : cpus_of_threads) {
    std::vector<std::uint32_t> all;
    for (const CpuSet::Range& range : cpus.ranges()) {
      for (std::uint32_t cpu = range.first; cpu <= range.last; ++cpu) all.push_back(cpu);
    }
    places.push_back(fmt::format("{{{}}}", fmt::join(all, ",")));
  }
  return fmt::format("{}", fmt::join(places, ","));
}

bool is_there(const std::filesystem::path& path) {
  std::error_code none;
  return std::filesystem::exists(path, none);
}

/// The slots of each host, ascending.
std::vector<std::vector<std::uint32_t>> slots_by_host(const JobDescription& job) {
  std::vector<std::vector<std::uint32_t>> slots(job.hosts.size());
  for (std::uint32_t slot = 0; slot < job.processes.size(); ++slot) {
    slots[job.processes[slot].host].push_back(slot);
  }
  return slots;
}

/// Places of one host that were not bound, or bound to the same CPUs, get shares of these.
void share_with_others(const JobDescription& job, const std::vector<std::uint32_t>& of_host,
                       std::uint32_t slot, threads::BindingOptions& options) {
  for (const std::uint32_t other : of_host) {
    const bool shares =
        other != slot &&
        !intersected(job.processes[other].cpus, job.processes[slot].cpus).empty();
    if (!shares) continue;
    ++options.processes;
    if (other < slot) ++options.position;
  }
}

/// Where the threads of `rank` go when it runs on `slot`; empty where it is not known what they
/// share.
std::vector<CpuSet> places_of_threads(const Trace& trace, std::uint32_t rank, std::uint32_t slot,
                                      const std::vector<std::uint32_t>& slots_of_host,
                                      Granularity granularity) {
  const std::filesystem::path matrix = trace.path / trace_names::thread_matrix(rank);
  if (!is_there(matrix)) return {};
  const JobProcess& place = trace.job->processes[slot];
  threads::BindingOptions options;
  options.policy = "kith";
  options.granularity = granularity;
  options.cpus = place.cpus;
  share_with_others(*trace.job, slots_of_host, slot, options);
  options.matrix = matrix.string();
  const std::uint32_t threads = read_matrix(matrix).ranks();
  const JobHardware& hardware = trace.job->hardware[trace.job->hosts[place.host].hardware];
  std::vector<CpuSet> cpus = threads::plan_binding(options, hardware).cpus;
  if (cpus.size() > threads) cpus.resize(threads);
  return cpus;
}

constexpr std::string_view script_head = R"(#!/bin/sh
# Starts a rank with its threads bound by what they share, in front of the program: mpirun ... THIS ./app
rank=${OMPI_COMM_WORLD_RANK:-${PMIX_RANK:-${PMI_RANK:-$SLURM_PROCID}}}
case "$rank" in
)";
constexpr std::string_view script_end = R"(  *) exec "$@" ;;
esac
export OMP_PLACES OMP_NUM_THREADS OMP_PROC_BIND=true
exec "$@"
)";

}  // namespace

void check_all_threads(const MapCommand& command) {
  if (!command.all_threads) return;
  if (!command.output)
    throw bad_input(option, "-o with all: the threads' file is OUT.threads", "none");
  if (command.choose || command.problem.machine.topology) {
    throw bad_input(option, "with all the machine of the trace, without --topology and --choose",
                    "another one");
  }
}

std::string thread_script(const MapCommand& command, const Trace& trace, const Mapping& mapping) {
  const Error none = bad_input(option, "a trace with what threads share (kith run --threads)",
                               trace.path.string());
  if (!trace.job) throw none;
  bool is_any_known = false;
  const auto by_host = slots_by_host(*trace.job);
  // A mapping file is applied by the job itself: the launcher starts its rank j on place j.
  const bool by_place = command.chosen_format() != MapFormat::launch_file;
  std::string text(script_head);
  for (std::uint32_t rank = 0; rank < mapping.ranks(); ++rank) {
    const std::uint32_t place = mapping[Rank(rank)].value;
    const auto cpus =
        places_of_threads(trace, rank, place, by_host[trace.job->processes[place].host],
                          command.problem.machine.granularity);
    if (cpus.empty()) continue;
    is_any_known = true;
    text += fmt::format("  {}) OMP_PLACES='{}' OMP_NUM_THREADS=${{OMP_NUM_THREADS:-{}}} ;;\n",
                        by_place ? place : rank, open_mp_places(cpus), cpus.size());
  }
  if (!is_any_known) throw none;
  return text.append(script_end);
}

void turn_to_threads(MapCommand& command) {
  if (!command.threads_of) return;
  const std::uint32_t rank = *command.threads_of;
  ProblemOptions& problem = command.problem;
  const Trace trace = read_named_trace(problem.trace);
  const std::filesystem::path matrix = trace.path / trace_names::thread_matrix(rank);
  if (!trace.job || !is_there(matrix)) {
    throw bad_input(option, "a trace with what the threads of that rank share (kith run --threads)",
                    fmt::format("no {}", matrix.string()));
  }
  if (!problem.machine.topology) {
    problem.machine.topology =
        machine_of(*trace.job, process_of(*trace.job, rank), problem.machine.granularity);
  }
  problem.trace = matrix.string();
}

}  // namespace kith::tools
