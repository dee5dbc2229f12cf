#include "runtime/machine_text.hpp"

#include "io/format/trace_names.hpp"

namespace kith::runtime {

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

}  // namespace kith::runtime
