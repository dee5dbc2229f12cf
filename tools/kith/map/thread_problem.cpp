#include <fmt/format.h>

#include <filesystem>

#include "inputs.hpp"
#include "io/format/trace_text.hpp"
#include "kith/error.hpp"
#include "kith/io.hpp"
#include "machine/hwloc/hwloc_topology.hpp"
#include "machine/source/host_slots.hpp"
#include "map/map_output.hpp"

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

}  // namespace

void turn_to_threads(MapCommand& command) {
  if (!command.threads_of) return;
  const std::uint32_t rank = *command.threads_of;
  ProblemOptions& problem = command.problem;
  const Trace trace = read_named_trace(problem.trace);
  const std::filesystem::path matrix = trace.path / trace_names::thread_matrix(rank);
  if (!trace.job || !std::filesystem::exists(matrix)) {
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
