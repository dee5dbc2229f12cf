// Rankfiles: a line per rank with its host and the logical numbers of its cores.
#include <fmt/format.h>

#include <algorithm>

#include "io/launch/launch_file.hpp"
#include "kith/error.hpp"

namespace kith {
namespace {

/// More hosts than these do not go on a command line.
constexpr std::size_t most_hosts_on_a_line = 64;

/// "0-3,8"
std::string list_of(const CpuSet& cores) {
  std::string text;
  for (const CpuSet::Range& range : cores.ranges()) {
    if (!text.empty()) text += ',';
    text += range.first == range.last ? fmt::format("{}", range.first)
                                      : fmt::format("{}-{}", range.first, range.last);
  }
  return text;
}

std::string lines_of(const Bindings& bindings, std::string_view option) {
  std::string text;
  for (std::size_t rank = 0; rank < bindings.of_rank.size(); ++rank) {
    const Binding& binding = bindings.of_rank[rank];
    const std::string& host = bindings.hosts[binding.host].name;
    if (binding.cores.empty()) {
      throw bad_input(option, "hosts whose hardware is known, as a rankfile names cores",
                      "nothing about " + host);
    }
    text += fmt::format("rank {}={} slot={}\n", rank, host, list_of(binding.cores));
  }
  return text;
}

/// " --host a:4,b:4": where no scheduler or host file says so, the launcher needs to be told.
std::string hosts_option(const Bindings& bindings) {
  std::string list;
  std::size_t used = 0;
  for (const BindingHost& host : bindings.hosts) {
    if (host.ranks == 0) continue;
    if (++used > most_hosts_on_a_line) return "";
    list += fmt::format("{}{}:{}", list.empty() ? "" : ",", host.name,
                        std::max(host.places, host.ranks));
  }
  return " --host " + list;
}

/// Whether a core of some host stands in the sets of two ranks.
bool shares_cores(const Bindings& bindings) {
  struct Use {
    std::uint32_t host;
    CpuSet::Range cores;
    auto operator<=>(const Use&) const = default;
  };
  std::vector<Use> uses;
  for (const Binding& binding : bindings.of_rank) {
    for (const CpuSet::Range& range : binding.cores.ranges()) uses.push_back({binding.host, range});
  }
  std::ranges::sort(uses);
  return std::ranges::adjacent_find(uses, [](const Use& a, const Use& b) {
           return a.host == b.host && b.cores.first <= a.cores.last;
         }) != uses.end();
}

/// A launcher that is told of as many slots as ranks takes them for CPUs, and lets each rank spin
/// while it waits, which starves those that share its CPU.
bool shares_cpus(const Bindings& bindings) {
  return std::ranges::any_of(bindings.hosts, [](const BindingHost& host) {
    return host.knows_cpus && host.ranks > host.cpus.size();
  });
}

LaunchFile rankfile_for(const Bindings& bindings, std::string_view option,
                        const std::string& launch_options) {
  LaunchFile file;
  file.text = lines_of(bindings, option);
  const std::string_view patience = shares_cpus(bindings) ? " --mca mpi_yield_when_idle 1" : "";
  file.command = fmt::format("mpirun -n {}{}{}{} ./app", bindings.of_rank.size(),
                             hosts_option(bindings), launch_options, patience);
  file.notes.emplace_back(
      "the launcher must hold these hosts; leave --host out where a scheduler or a host file names "
      "them");
  if (!patience.empty()) {
    file.notes.emplace_back(
        "ranks share processors: mpi_yield_when_idle lets those that wait leave them to others");
  }
  return file;
}

}  // namespace

LaunchFile rankfile(const Bindings& bindings, const std::string& name, std::string_view option) {
  return rankfile_for(bindings, option, " --rankfile " + shell_word(name));
}

LaunchFile prrte_rankfile(const Bindings& bindings, const std::string& name,
                          std::string_view option) {
  if (name.find_first_of(":,") != std::string::npos) {
    throw bad_input(option, "a file name without ':' and ',', at which PRRTE would split it",
                    "'" + name + "'");
  }
  // Unlike Open MPI 4 it refuses cores of two ranks, such as those of a job that was not bound.
  const std::string binding = shares_cores(bindings) ? " --bind-to :overload-allowed" : "";
  return rankfile_for(bindings, option,
                      " --map-by " + shell_word("rankfile:file=" + name) + binding);
}

}  // namespace kith
