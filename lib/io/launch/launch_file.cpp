#include "io/launch/launch_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <unordered_map>

#include "kith/error.hpp"
#include "machine/hwloc/host_levels.hpp"
#include "machine/network/node_list.hpp"

namespace kith {
namespace {

/// What any launcher takes for a name and no shell for something else.
bool is_host_name(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' ||
           c == '-' || c == '_';
  });
}

void check_names(const Bindings& bindings, std::string_view option) {
  std::set<std::string_view> seen;
  for (const BindingHost& host : bindings.hosts) {
    if (!is_host_name(host.name)) {
      throw bad_input(option, "host names of letters, digits, '.', '-' and '_'",
                      "'" + host.name + "'");
    }
    if (!seen.insert(host.name).second) {
      throw bad_input(option, "hosts with names of their own", "two called " + host.name);
    }
  }
}

/// Hosts by number, in the order in which they come.
class HostList {
 public:
  explicit HostList(std::vector<BindingHost>& hosts) : hosts_(hosts) {}

  std::uint32_t find_or_add(std::uint64_t number, const std::string& name) {
    const auto [known, is_new] =
        index_of_.try_emplace(number, static_cast<std::uint32_t>(hosts_.size()));
    if (is_new) hosts_.push_back({name});
    return known->second;
  }

 private:
  std::vector<BindingHost>& hosts_;
  std::unordered_map<std::uint64_t, std::uint32_t> index_of_;
};

/// Takes the slots of a job one after the other; slot j is launcher rank j's.
class JobBindings {
 public:
  JobBindings(const JobDescription& job, std::string_view option) : job_(job) {
    for (const JobHardware& hardware : job.hardware) {
      cores_.emplace_back(hardware, std::string(option) + ": hardware " + hardware.digest);
    }
  }

  std::uint64_t host_of(Slot slot) const { return process(slot).host; }
  std::string name_of(std::uint64_t host) const { return job_.hosts.at(host).name; }
  CpuSet cores_of(Slot slot) const {
    const std::uint32_t kind = job_.hosts.at(process(slot).host).hardware;
    return kind < cores_.size() ? cores_[kind].holding(process(slot).cpus) : CpuSet();
  }
  const CpuSet& cpus_of(Slot slot) const { return process(slot).cpus; }

 private:
  const JobProcess& process(Slot slot) const { return job_.processes.at(slot.value); }

  const JobDescription& job_;
  std::vector<HostCores> cores_;
};

/// The slots of any machine with names; those of a node are consecutive.
class NodeBindings {
 public:
  explicit NodeBindings(const Machine& machine) : machine_(machine) {}

  std::uint64_t host_of(Slot slot) const { return machine_.node_of(slot); }
  std::string name_of(std::uint64_t host) const { return machine_.node_name(host); }
  CpuSet cores_of(Slot slot) const {
    std::uint32_t core = 0;
    const std::uint64_t node = machine_.node_of(slot);
    while (core < slot.value && machine_.node_of(Slot(slot.value - core - 1)) == node) ++core;
    return {core};
  }
  CpuSet cpus_of(Slot) const { return {}; }

 private:
  const Machine& machine_;
};

template <class Source>
Bindings bind_ranks(const Mapping& mapping, const Machine& machine, const Source& source) {
  Bindings bindings;
  HostList hosts(bindings.hosts);
  const SlotSet& allowed = machine.allowed();
  std::vector<Binding> binding_of_place(allowed.size());
  for (std::uint64_t i = 0; i < allowed.size(); ++i) {
    const std::uint64_t number = source.host_of(allowed.at(i));
    const std::uint32_t host = hosts.find_or_add(number, source.name_of(number));
    binding_of_place[i] = {host, bindings.hosts[host].places++};
  }
  for (Rank r(0); r.value < mapping.ranks(); ++r) {
    Binding binding = binding_of_place[allowed.index_of(mapping[r])];
    binding.cores = source.cores_of(mapping[r]);
    BindingHost& host = bindings.hosts[binding.host];
    ++host.ranks;
    const CpuSet cpus = source.cpus_of(mapping[r]);
    host.knows_cpus = host.knows_cpus && !cpus.empty();
    host.cpus = united(host.cpus, cpus);
    bindings.of_rank.push_back(std::move(binding));
  }
  return bindings;
}

}  // namespace

Bindings bindings_of(const Mapping& mapping, const Machine& machine, const JobDescription* job,
                     std::string_view option) {
  Bindings bindings;
  if (machine.kind() == "job" && job != nullptr) {
    bindings = bind_ranks(mapping, machine, JobBindings(*job, option));
  } else if (!machine.node_names().empty()) {
    bindings = bind_ranks(mapping, machine, NodeBindings(machine));
  } else {
    throw bad_input(option, "a machine with host names: that of a trace, hosts:FILE or slurm:FILE",
                    machine.spec() + ", whose nodes have no names that a launcher knows");
  }
  check_names(bindings, option);
  return bindings;
}

std::span<const LaunchFormat> launch_formats() {
  // A new format is one file, one line in launch_file.hpp and one here.
  static constexpr LaunchFormat all[] = {
      {"rankfile", "Open MPI 4", rankfile},
      {"prrte", "Open MPI 5", prrte_rankfile},
      {"mpich", "MPICH_RANK_ORDER of Cray's MPICH", mpich_order},
      {"hydra", "MPICH's mpiexec", hydra_hosts},
      {"slurm", "srun's SLURM_HOSTFILE", slurm_hosts},
      {"flux", "flux run's task map", flux_taskmap},
  };
  return all;
}

std::string shell_word(const std::string& word) {
  const bool is_plain = !word.empty() && std::ranges::all_of(word, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           std::string_view("./-_+=:,@%").find(c) != std::string_view::npos;
  });
  if (is_plain) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

void note_order_in_hosts(const Bindings& bindings, LaunchFile& file) {
  std::vector<std::uint32_t> next(bindings.hosts.size(), 0);
  std::size_t elsewhere = 0;
  for (const Binding& binding : bindings.of_rank) {
    const BindingHost& host = bindings.hosts[binding.host];
    const std::uint32_t on_a_place = (host.ranks + host.places - 1) / std::max(host.places, 1U);
    elsewhere += binding.place != next[binding.host]++ / std::max(on_a_place, 1U) ? 1 : 0;
  }
  if (elsewhere == 0) return;
  file.notes.push_back(fmt::format(
      "this format names hosts, not the places on them: if the launcher binds the ranks "
      "of a host one after the other, {} of {} sit on another place of their host than "
      "the mapping says (what hosts send each other stays the same)",
      elsewhere, bindings.of_rank.size()));
}

void note_host_order(const Bindings& bindings, LaunchFile& file) {
  constexpr std::size_t most_named = 64;
  for (const BindingHost& host : bindings.hosts) {
    if (host.ranks > 0) file.host_order.push_back(host.name);
  }
  const auto& order = file.host_order;
  std::string names = compress_hostlist(order);
  if (expand_hostlist(names, "") != order) {  // the launcher's order is another one
    const std::size_t named = std::min(order.size(), most_named);
    names = fmt::format("{}{}", fmt::join(order.begin(), order.begin() + named, ","),
                        named < order.size() ? ",..." : "");
  }
  file.notes.push_back("hosts are counted, not named: the launcher must take them in this order: " +
                       names);
}

std::vector<HostRun> host_runs(const Bindings& bindings) {
  std::vector<HostRun> runs;
  for (const Binding& binding : bindings.of_rank) {
    if (runs.empty() || runs.back().host != binding.host) runs.push_back({binding.host, 0});
    ++runs.back().ranks;
  }
  return runs;
}

}  // namespace kith
