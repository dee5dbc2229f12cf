// The machine that a job holds: slot j is the place of launcher rank j.
#include <algorithm>
#include <map>

#include "core/log.hpp"
#include "kith/detail/job.hpp"
#include "kith/detail/tree_machine.hpp"
#include "kith/error.hpp"
#include "machine/hwloc/hwloc_topology.hpp"
#include "machine/network/host_network.hpp"
#include "machine/network/slurm_topology.hpp"
#include "machine/source/host_tree.hpp"
#include "machine/sources.hpp"

namespace kith {
namespace {

/// One host kind, loaded, and where its depths stand among the levels inside all kinds.
struct Kind {
  HwlocTopology topology;
  std::vector<std::string> names;
  std::vector<std::size_t> place_of_depth;  // by depth, from 1
  std::map<CpuSet, std::vector<HwlocStep>> chain_of_cpus;
};

/// Puts the names of one kind's depths into the common list, each behind the previous one. Earlier
/// places move when names are inserted, so kinds are merged first and looked up after.
void merge_names(const std::vector<std::string>& names, std::vector<std::string>& common) {
  auto place = common.begin();
  for (const std::string& name : names) {
    auto found = std::find(place, common.end(), name);
    if (found == common.end()) found = common.insert(place, name);
    place = found + 1;
  }
}

std::vector<std::size_t> find_names(const std::vector<std::string>& names,
                                    const std::vector<std::string>& common) {
  std::vector<std::size_t> places;
  auto begin = common.begin();
  for (const std::string& name : names) {
    const auto found = std::find(begin, common.end(), name);
    places.push_back(static_cast<std::size_t>(found - common.begin()));
    begin = found + 1;
  }
  return places;
}

/// The objects of the host above the smallest one that covers all of `cpus`; none when unbound.
std::vector<HwlocStep> place_of(hwloc_topology* topology, const CpuSet& cpus) {
  hwloc_bitmap_t set = hwloc_bitmap_alloc();
  if (set == nullptr) throw environment_error("out of memory");
  const std::unique_ptr<hwloc_bitmap_s, decltype(&hwloc_bitmap_free)> owner(set, hwloc_bitmap_free);
  hwloc_const_cpuset_t known = hwloc_topology_get_topology_cpuset(topology);
  // Ranges are cut first: setting an absurd index would take that much memory.
  const auto most = static_cast<std::uint32_t>(std::max(hwloc_bitmap_last(known), 0));
  for (const CpuSet::Range& range : cpus.ranges()) {
    if (range.first > most) break;
    hwloc_bitmap_set_range(set, range.first, static_cast<int>(std::min(range.last, most)));
  }
  hwloc_bitmap_and(set, set, known);
  if (hwloc_bitmap_iszero(set) != 0) return {};
  const hwloc_obj* object = hwloc_get_obj_covering_cpuset(topology, set);
  return object == nullptr ? std::vector<HwlocStep>{} : chain_above(object);
}

class JobReader {
 public:
  JobReader(const JobDescription& job, const std::string& where) : job_(job) {
    check(where);
    load_kinds(where);
  }

  std::unique_ptr<Machine> machine(const std::string& spec) {
    HostTree hosts(job_.network, names_);
    std::vector<std::string> names;
    for (const JobHost& host : job_.hosts) {
      hosts.add_host(host.switches);
      names.push_back(host.name);
    }
    for (const JobProcess& process : job_.processes) {
      hosts.add_slot(process.host, inside(process, hosts.host_level()));
    }
    auto tree = hosts.take(names);
    tree.kind = "job";
    tree.spec = spec;
    tree.hosts_digest = job_.hosts_digest();
    return TreeMachine::from(std::move(tree));
  }

 private:
  void check(const std::string& where) const {
    if (job_.processes.empty()) throw bad_input(where, "a job with processes", "none");
    for (const JobProcess& process : job_.processes) {
      if (process.host >= job_.hosts.size()) {
        throw bad_input(where, "a host below " + std::to_string(job_.hosts.size()),
                        std::to_string(process.host));
      }
    }
    const std::size_t layers = std::max<std::size_t>(job_.network.levels.size(), 1) - 1;
    for (const JobHost& host : job_.hosts) {
      if (host.hardware >= job_.hardware.size() && !job_.hardware.empty()) {
        throw bad_input(where, "hardware below " + std::to_string(job_.hardware.size()),
                        std::to_string(host.hardware) + " at host " + host.name);
      }
      if (host.switches.size() != layers) {
        throw bad_input(where, std::to_string(layers) + " switches above each host",
                        std::to_string(host.switches.size()) + " at host " + host.name);
      }
    }
  }

  void load_kinds(const std::string& where) {
    for (const JobHardware& hardware : job_.hardware) {
      Kind kind;
      if (!hardware.xml.empty()) {
        kind.topology =
            load_xml(hardware.xml, hardware.origin.empty() ? where + ": hardware " + hardware.digest
                                                           : hardware.origin);
        kind.names = depth_names(kind.topology.get());
        kind.names.erase(kind.names.begin());  // depth 0 is the host
        merge_names(kind.names, names_);
      }
      kinds_.push_back(std::move(kind));
    }
    for (Kind& kind : kinds_) kind.place_of_depth = find_names(kind.names, names_);
  }

  /// The objects of the host above a process.
  std::vector<PathGroupings::Step> inside(const JobProcess& process, std::size_t host_level) {
    std::vector<PathGroupings::Step> steps;
    const std::uint32_t hardware = job_.hosts[process.host].hardware;
    if (hardware >= kinds_.size() || !kinds_[hardware].topology) return steps;
    Kind& kind = kinds_[hardware];
    const auto [known, is_new] = kind.chain_of_cpus.try_emplace(process.cpus);
    if (is_new) known->second = place_of(kind.topology.get(), process.cpus);
    for (const HwlocStep& step : known->second) {
      steps.push_back({host_level + 1 + kind.place_of_depth[step.depth - 1], step.identity()});
    }
    return steps;
  }

  const JobDescription& job_;
  std::vector<std::string> names_;  // of all levels inside hosts, top down
  std::vector<Kind> kinds_;
};

}  // namespace

std::unique_ptr<Machine> read_job(const SpecRequest& request) {
  if (request.job == nullptr) {
    throw bad_input(
        request.option,
        "a trace directory (its name instead of \"job\": kith topo app.kith), whose machine.json "
        "says what \"job\" is",
        "\"job\" without one");
  }
  if (request.network.empty()) return JobReader(*request.job, request.option).machine(request.spec);
  JobDescription job = *request.job;
  const HostNetwork network = read_any_network(request.network);
  if (const std::string unknown = put_between_hosts(network, job); !unknown.empty()) {
    if (job.network.source.empty()) {
      throw bad_input(request.option,
                      "a network of the job's hosts (the machine \"hosts:FILE;tree=2x8\" is one of "
                      "other hosts, "
                      "and says what a host has)",
                      unknown.substr(0, unknown.rfind(": ")));
    }
    log_line(unknown);
  }
  return JobReader(job, request.option).machine(request.spec);
}

}  // namespace kith
