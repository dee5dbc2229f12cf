#include "machine/network/job_network.hpp"

#include "machine/network/host_names.hpp"
#include "machine/network/node_list.hpp"

namespace kith {
namespace {

/// A few names and how many more there are.
std::string abbreviated(const std::vector<std::string>& names) {
  constexpr std::size_t most = 100;
  std::string text = compress_hostlist(names);
  if (text.size() > most) text = text.substr(0, most) + "...";
  return text;
}

}  // namespace

std::string put_between_hosts(const HostNetwork& network, JobDescription& job) {
  std::vector<std::string> names;
  for (const HostNetwork::Host& host : network.hosts) names.push_back(host.name);
  const HostNames index(names);

  const std::size_t levels = network.network.levels.size();
  std::vector<std::string> unknown;
  for (JobHost& host : job.hosts) {
    const auto found = index.find(host.name);
    if (!found) unknown.push_back(host.name);
    const std::size_t layers = levels == 0 ? 0 : levels - 1;
    // Alone in each layer: no switch has the name of a host.
    host.switches =
        found ? network.hosts[*found].switches : std::vector<std::string>(layers, host.name);
  }
  job.network = network.network;
  if (unknown.empty() || names.empty()) return {};

  if (unknown.size() < job.hosts.size()) {
    return network.network.source + " does not name " + std::to_string(unknown.size()) + " of " +
           std::to_string(job.hosts.size()) + " hosts (" + abbreviated(unknown) +
           "): nothing is known of their place in the network";
  }
  for (JobHost& host : job.hosts) host.switches.clear();
  job.network = {};
  return network.network.source + " names none of the job's hosts (" + abbreviated(unknown) +
         "): the network between them is taken for one level";
}

}  // namespace kith
