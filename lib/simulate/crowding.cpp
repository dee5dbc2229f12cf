#include "simulate/crowding.hpp"

#include <fmt/format.h>

#include "kith/error.hpp"

namespace kith::simulate {
void CrowdCount::add(std::uint64_t node, const std::string& name, const CpuSet& cpus) {
  Host& host = hosts_[node];
  host.name = name;
  ++host.ranks;
  host.is_known = host.is_known && !cpus.empty();
  if (!host.cpus.contains(cpus)) host.cpus = united(host.cpus, cpus);
}

std::vector<CrowdedHost> CrowdCount::crowded() const {
  std::vector<CrowdedHost> crowded;
  for (const auto& [node, host] : hosts_) {
    const std::uint64_t processors = host.cpus.size();
    if (!host.is_known || host.ranks <= processors) continue;
    crowded.push_back({node, host.name, host.ranks, static_cast<std::uint32_t>(processors)});
  }
  return crowded;
}

std::vector<CrowdedHost> crowded_hosts(const JobDescription& job, const Machine& machine) {
  if (machine.kind() != "job") return {};
  CrowdCount count;
  for (std::uint32_t j = 0; j < job.processes.size(); ++j) {
    if (!machine.allowed().contains(Slot(j))) return {};
    const JobProcess& process = job.processes[j];
    count.add(machine.node_of(Slot(j)), job.hosts[process.host].name, process.cpus);
  }
  return count.crowded();
}

bool shared_processors(const JobDescription& job) {
  try {
    return !crowded_hosts(job, *parse_machine("job", &job)).empty();
  } catch (const Error&) {
    return false;  // nothing is known of the hosts
  }
}

std::optional<double> comparable_seconds(const JobDescription* job, std::optional<double> seconds) {
  return job != nullptr && shared_processors(*job) ? std::nullopt : seconds;
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
