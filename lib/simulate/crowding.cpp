#include "simulate/crowding.hpp"

#include <fmt/format.h>

#include <map>

namespace kith::simulate {
namespace {

struct HostUse {
  std::uint32_t host = 0;
  std::uint32_t ranks = 0;
  CpuSet cpus;
  bool is_known = true;
};

}  // namespace

std::vector<CrowdedHost> crowded_hosts(const JobDescription& job, const Machine& machine) {
  if (machine.kind() != "job") return {};
  std::map<std::uint64_t, HostUse> uses;
  for (std::uint32_t j = 0; j < job.processes.size(); ++j) {
    if (!machine.allowed().contains(Slot(j))) return {};
    const JobProcess& process = job.processes[j];
    HostUse& use = uses[machine.node_of(Slot(j))];
    use.host = process.host;
    ++use.ranks;
    use.is_known = use.is_known && !process.cpus.empty();
    if (!use.cpus.contains(process.cpus)) use.cpus = united(use.cpus, process.cpus);
  }
  std::vector<CrowdedHost> crowded;
  for (const auto& [node, use] : uses) {
    const std::uint64_t processors = use.cpus.size();
    if (!use.is_known || use.ranks <= processors) continue;
    crowded.push_back(
        {node, job.hosts[use.host].name, use.ranks, static_cast<std::uint32_t>(processors)});
  }
  return crowded;
}

std::vector<double> ranks_per_processor(const std::vector<CrowdedHost>& crowded,
                                        const JobDescription& job, const Machine& machine) {
  if (crowded.empty()) return {};
  std::map<std::uint64_t, double> of_node;
  for (const CrowdedHost& host : crowded) {
    of_node[host.node] = static_cast<double>(host.ranks) / host.processors;
  }
  std::vector<double> found(job.processes.size(), 1);
  for (std::uint32_t j = 0; j < job.processes.size(); ++j) {
    const auto host = of_node.find(machine.node_of(Slot(j)));
    const std::uint32_t rank = job.processes[j].rank;
    if (host != of_node.end() && rank < found.size()) found[rank] = host->second;
  }
  return found;
}

std::string crowding_text(const std::vector<CrowdedHost>& crowded) {
  if (crowded.empty()) return "";
  const CrowdedHost& first = crowded.front();
  std::string text = fmt::format("{} ranks shared {} processor{} of {}", first.ranks,
                                 first.processors, first.processors == 1 ? "" : "s", first.name);
  if (crowded.size() > 1) {
    text += fmt::format(", and likewise on {} more host{}", crowded.size() - 1,
                        crowded.size() == 2 ? "" : "s");
  }
  return text;
}

}  // namespace kith::simulate
