// Launch files that list hosts or ranks: Slurm's, Hydra's, Cray MPICH's.
#include <fmt/format.h>

#include <set>

#include "io/launch/launch_file.hpp"
#include "kith/error.hpp"

namespace kith {

// Slurm's arbitrary distribution: the host of each rank, a line each.

LaunchFile slurm_hosts(const Bindings& bindings, const std::string& name, std::string_view) {
  LaunchFile file;
  for (const Binding& binding : bindings.of_rank)
    file.text += bindings.hosts[binding.host].name + "\n";
  file.command = fmt::format("SLURM_HOSTFILE={} srun -n {} --distribution=arbitrary ./app",
                             shell_word(name), bindings.of_rank.size());
  note_order_in_hosts(bindings, file);
  std::set<std::uint32_t> used;
  for (const Binding& binding : bindings.of_rank) used.insert(binding.host);
  file.notes.push_back(fmt::format(
      "the allocation must hold these {} hosts, with these numbers of tasks", used.size()));
  return file;
}

// Hydra's host file: hosts with numbers of ranks, in the order of ranks.

LaunchFile hydra_hosts(const Bindings& bindings, const std::string& name, std::string_view) {
  LaunchFile file;
  const std::vector<HostRun> runs = host_runs(bindings);
  std::vector<std::uint32_t> times(bindings.hosts.size(), 0);
  bool is_interleaved = false;
  for (const HostRun& run : runs) {
    file.text += fmt::format("{}:{}\n", bindings.hosts[run.host].name, run.ranks);
    is_interleaved = is_interleaved || ++times[run.host] > 1;
  }
  // Not -f: Intel MPI documents counts for -machinefile only.
  file.command =
      fmt::format("mpiexec -n {} -machinefile {} ./app", bindings.of_rank.size(), shell_word(name));
  note_order_in_hosts(bindings, file);
  if (is_interleaved) {
    file.notes.emplace_back(
        "hosts stand in several lines, each of which MPICH takes for a host of its own: ranks of "
        "one host in different lines do not talk through shared memory; kith run --reorder avoids "
        "that");
  }
  return file;
}

// MPICH_RANK_ORDER of Cray's MPICH: the rank of each place, hosts one after the other.

namespace {

/// By place, hosts one after the other: the rank there.
std::vector<std::uint32_t> ranks_by_place(const Bindings& bindings, std::string_view option) {
  std::vector<std::uint64_t> first;
  std::uint64_t places = 0;
  for (const BindingHost& host : bindings.hosts) {
    first.push_back(places);
    places += host.places;
  }
  constexpr std::uint32_t none = UINT32_MAX;
  std::vector<std::uint32_t> rank_on(places, none);
  bool is_one_to_one = places == bindings.of_rank.size();
  for (std::uint32_t rank = 0; rank < bindings.of_rank.size(); ++rank) {
    const Binding& binding = bindings.of_rank[rank];
    std::uint32_t& taken = rank_on[first[binding.host] + binding.place];
    is_one_to_one = is_one_to_one && taken == none;
    taken = rank;
  }
  if (!is_one_to_one) {
    throw bad_input(
        option,
        fmt::format("as many ranks as places, one on each, as an order of ranks fills them ({})",
                    places < bindings.of_rank.size()
                        ? ";tree=N behind the machine gives each host N places"
                        : ";slots= behind the machine takes so many of its places"),
        fmt::format("{} ranks on {} places", bindings.of_rank.size(), places));
  }
  return rank_on;
}

/// What --ntasks-per-node can say: as many on each host, what is left on the last.
std::uint32_t places_per_host(const Bindings& bindings, std::string_view option) {
  const std::uint32_t most = bindings.hosts.front().places;
  for (const BindingHost& host : bindings.hosts) {
    const bool is_last = &host == &bindings.hosts.back();
    if (host.places == most || (is_last && host.places < most)) continue;
    throw bad_input(option,
                    "as many places on each host (the last may have fewer), as srun fills hosts",
                    fmt::format("{} on {}, {} on {}", most, bindings.hosts.front().name,
                                host.places, host.name));
  }
  return most;
}

}  // namespace

LaunchFile mpich_order(const Bindings& bindings, const std::string& name, std::string_view option) {
  constexpr std::size_t ranks_on_a_line = 16;
  const std::vector<std::uint32_t> order = ranks_by_place(bindings, option);
  const std::uint32_t per_host = places_per_host(bindings, option);
  LaunchFile file;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool ends_line = i + 1 == order.size() || (i + 1) % ranks_on_a_line == 0;
    file.text +=
        fmt::format("{}{}", order[i], ends_line ? (i + 1 < order.size() ? ",\n" : "\n") : ",");
  }
  file.command = fmt::format(
      "MPICH_RANK_REORDER_METHOD=3 MPICH_RANK_REORDER_FILE={} srun -n {} --ntasks-per-node={} "
      "--distribution=block ./app",
      shell_word(name), order.size(), per_host);
  note_host_order(bindings, file);
  return file;
}

}  // namespace kith
