// The machine that a job holds: slot j is the place of launcher rank j.
#include <algorithm>
#include <map>
#include <optional>

#include "kith/error.hpp"
#include "kith/job.hpp"
#include "kith/tree_machine.hpp"
#include "machine/hwloc/hwloc_paths.hpp"
#include "machine/hwloc/hwloc_topology.hpp"
#include "machine/sources.hpp"

namespace kith {
namespace {

constexpr std::size_t host_level = 1;

/// One host kind, loaded, and where its depths stand among the levels of all kinds.
struct Kind {
  HwlocTopology topology;
  std::vector<std::size_t> level_of_depth;
  std::map<std::vector<std::uint32_t>, std::vector<HwlocStep>> chain_of_cpus;
};

/// Puts the names of one kind's depths into the common list, each behind the previous one; returns
/// their places. Earlier places move when names are inserted, so kinds are merged first and looked
/// up after.
void merge_names(const std::vector<std::string>& names, std::vector<std::string>& common) {
  auto place = common.begin() + host_level + 1;
  for (const std::string& name : names) {
    auto found = std::find(place, common.end(), name);
    if (found == common.end()) found = common.insert(place, name);
    place = found + 1;
  }
}

std::vector<std::size_t> find_names(const std::vector<std::string>& names,
                                    const std::vector<std::string>& common) {
  std::vector<std::size_t> places{host_level};
  for (const std::string& name : names) {
    const auto begin = common.begin() + static_cast<std::ptrdiff_t>(places.back()) + 1;
    places.push_back(
        static_cast<std::size_t>(std::find(begin, common.end(), name) - common.begin()));
  }
  return places;
}

/// The objects of the host above the smallest one that covers all of `cpus`; none when unbound.
std::vector<HwlocStep> place_of(hwloc_topology* topology, const std::vector<std::uint32_t>& cpus) {
  hwloc_bitmap_t set = hwloc_bitmap_alloc();
  if (set == nullptr) throw environment_error("out of memory");
  const std::unique_ptr<hwloc_bitmap_s, decltype(&hwloc_bitmap_free)> owner(set, hwloc_bitmap_free);
  hwloc_const_cpuset_t known = hwloc_topology_get_topology_cpuset(topology);
  for (const std::uint32_t cpu : cpus) {
    // Tested first: setting an absurd index would take that much memory.
    if (hwloc_bitmap_isset(known, cpu) != 0) hwloc_bitmap_set(set, cpu);
  }
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
    std::vector<bool> host_is_used(job_.hosts.size());
    PathGroupings groupings(names_);
    for (const JobProcess& process : job_.processes) {
      host_is_used[process.host] = true;
      groupings.add_slot(chain_of(process));
    }
    auto levels = groupings.take();
    const auto nodes = static_cast<std::uint64_t>(std::ranges::count(host_is_used, true));
    if (nodes == 1) levels.erase(levels.begin());  // nothing leaves the host: no network
    auto tree = tree_from_groupings(std::move(levels), groupings.slots());
    tree.kind = "job";
    tree.spec = spec;
    tree.nodes = nodes;
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
    for (const JobHost& host : job_.hosts) {
      if (host.hardware >= job_.hardware.size() && !job_.hardware.empty()) {
        throw bad_input(where, "hardware below " + std::to_string(job_.hardware.size()),
                        std::to_string(host.hardware) + " at host " + host.name);
      }
    }
  }

  void load_kinds(const std::string& where) {
    names_ = {"network", "host"};
    std::vector<std::vector<std::string>> names_of_kind;
    for (const JobHardware& hardware : job_.hardware) {
      Kind kind;
      std::vector<std::string> names;
      if (!hardware.xml.empty()) {
        kind.topology =
            load_xml(hardware.xml, hardware.origin.empty() ? where + ": hardware " + hardware.digest
                                                           : hardware.origin);
        names = depth_names(kind.topology.get());
        names.erase(names.begin());  // depth 0 is the host
        merge_names(names, names_);
      }
      names_of_kind.push_back(std::move(names));
      kinds_.push_back(std::move(kind));
    }
    for (std::size_t k = 0; k < kinds_.size(); ++k) {
      kinds_[k].level_of_depth = find_names(names_of_kind[k], names_);
    }
  }

  std::vector<PathGroupings::Step> chain_of(const JobProcess& process) {
    constexpr std::uint64_t network = 0;
    // An object is named by its host and its identity there, of which the host itself has 0.
    const std::uint64_t host = (std::uint64_t{process.host} + 1) << 32;
    std::vector<PathGroupings::Step> chain{{0, network}, {host_level, host}};
    const std::uint32_t hardware = job_.hosts[process.host].hardware;
    if (hardware >= kinds_.size() || !kinds_[hardware].topology) return chain;
    Kind& kind = kinds_[hardware];
    const auto [known, is_new] = kind.chain_of_cpus.try_emplace(process.cpus);
    if (is_new) known->second = place_of(kind.topology.get(), process.cpus);
    for (const HwlocStep& step : known->second) {
      chain.push_back({kind.level_of_depth[step.depth], host | step.identity()});
    }
    return chain;
  }

  const JobDescription& job_;
  std::vector<std::string> names_;  // of all levels, top down
  std::vector<Kind> kinds_;
};

}  // namespace

std::unique_ptr<Machine> read_job(const SpecRequest& request) {
  if (request.job == nullptr) {
    throw bad_input(request.option, "a trace directory, whose machine.json says what \"job\" is",
                    "\"job\" without one");
  }
  return JobReader(*request.job, request.option).machine(request.spec);
}

}  // namespace kith
