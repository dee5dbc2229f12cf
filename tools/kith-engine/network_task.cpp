#include "kith-engine/network_task.hpp"

#include <cstdlib>
#include <filesystem>
#include <optional>

#include "kith/error.hpp"
#include "machine/network/job_network.hpp"
#include "machine/network/slurm_topology.hpp"
#include "protocol/job_packing.hpp"
#include "protocol/packer.hpp"

namespace kith::tools {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> unpack_texts(const Exchange& request, const char* name) {
  const std::string bytes = request.text(name);
  std::vector<std::string> texts;
  Unpacker unpacker(bytes);
  while (!unpacker.done()) texts.emplace_back(unpacker.get_text());
  return texts;
}

std::optional<HostNetwork> from_addresses(const Exchange& request, const JobDescription& job) {
  const auto addresses = unpack_texts(request, "addresses");
  const auto patterns = unpack_texts(request, "patterns");
  const std::size_t hosts = job.hosts.size();
  if (addresses.size() != hosts || patterns.size() != hosts) return std::nullopt;
  std::vector<std::string> names;
  std::vector<HostAddress> known;
  for (std::size_t host = 0; host < hosts; ++host) {
    // Two hosts may have one name, but each its own address.
    names.push_back(std::to_string(host));
    known.push_back({addresses[host], patterns[host]});
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

Exchange network_task(const Exchange& request) {
  JobDescription job = unpack_job(request.text("job"));
  std::string note;
  if (const std::string file = request.text("file"); !file.empty()) {
    HostNetwork network = read_any_network(file);
    network.network.source = "KITH_NETWORK=" + file;
    note = put_between_hosts(network, job);
  } else if (const auto network = from_addresses(request, job)) {
    job.network = network->network;
    for (std::size_t host = 0; host < job.hosts.size(); ++host) {
      job.hosts[host].switches = network->hosts[host].switches;
    }
  } else if (const auto slurm = slurm_file()) {
    note = put_between_hosts(read_any_network(*slurm), job);
  }
  Exchange answer;
  answer.set("job", pack_job(job));
  answer.set("note", note);
  return answer;
}

}  // namespace kith::tools
