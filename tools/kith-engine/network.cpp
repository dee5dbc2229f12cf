// What lies between the hosts of a job.
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

#include "kith-engine/tasks.hpp"
#include "kith/error.hpp"
#include "machine/network/host_network.hpp"
#include "machine/network/slurm_topology.hpp"

namespace kith::tools {
namespace {

namespace fs = std::filesystem;

std::optional<HostNetwork> from_addresses(const protocol::NetworkRequest& request) {
  const std::size_t hosts = request.hosts.size();
  if (request.addresses.size() != hosts || request.patterns.size() != hosts) return std::nullopt;
  std::vector<std::string> names;
  std::vector<HostAddress> known;
  for (std::size_t host = 0; host < hosts; ++host) {
    // Two hosts may have one name, but each its own address.
    names.push_back(std::to_string(host));
    known.push_back({request.addresses[host], request.patterns[host]});
  }
  HostNetwork network = network_of_addresses(names, known);
  if (network.network.levels.empty()) return std::nullopt;
  return network;
}

/// The file that describes the cluster's network, where Slurm looks for it.
std::optional<fs::path> slurm_file() {
  if (std::getenv("SLURM_JOB_ID") == nullptr) return std::nullopt;
  std::vector<fs::path> folders;
  if (const char* const conf = std::getenv("SLURM_CONF"); conf != nullptr) {
    folders.push_back(fs::path(conf).parent_path());
  }
  // The last one: what slurmd got from the controller where nodes have no files of their own.
  for (const char* const folder : {"/etc/slurm", "/etc/slurm-llnl", "/run/slurm/conf"}) {
    folders.emplace_back(folder);
  }
  for (const fs::path& folder : folders) {
    for (const char* const name : {"topology.yaml", "topology.conf"}) {
      std::error_code ignored;
      if (fs::is_regular_file(folder / name, ignored)) return folder / name;
    }
  }
  return std::nullopt;
}

}  // namespace

protocol::NetworkAnswer find_network(const protocol::NetworkRequest& request) {
  JobDescription job;
  job.hosts = request.hosts;
  protocol::NetworkAnswer answer;
  if (!request.file.empty()) {
    HostNetwork network = read_any_network(request.file);
    network.network.source = "KITH_NETWORK=" + request.file;
    answer.note = put_between_hosts(network, job);
  } else if (const auto network = from_addresses(request)) {
    job.network = network->network;
    for (std::size_t host = 0; host < job.hosts.size(); ++host) {
      job.hosts[host].switches = network->hosts[host].switches;
    }
  } else if (const auto slurm = slurm_file()) {
    answer.note = put_between_hosts(read_any_network(*slurm), job);
  }
  answer.network = std::move(job.network);
  for (JobHost& host : job.hosts) answer.switches.push_back(std::move(host.switches));
  return answer;
}

}  // namespace kith::tools
