#include "io/launch/launch_file.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kith {

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

void note_order_in_hosts(const Seating& seating, LaunchFile& file) {
  std::vector<std::uint32_t> next(seating.hosts.size(), 0);
  std::size_t elsewhere = 0;
  for (const Seat& seat : seating.seats) elsewhere += seat.place != next[seat.host]++ ? 1 : 0;
  if (elsewhere == 0) return;
  file.notes.push_back(fmt::format(
      "this format names hosts, not the places on them: if the launcher binds the ranks "
      "of a host one after the other, {} of {} sit on another place of their host than "
      "the mapping says",
      elsewhere, seating.seats.size()));
}

void note_host_order(const Seating& seating, LaunchFile& file) {
  constexpr std::size_t most_named = 16;
  std::string names;
  for (const SeatingHost& host : seating.hosts) {
    if (host.ranks == 0) continue;
    if (file.host_order.size() < most_named) names += (names.empty() ? "" : ",") + host.name;
    file.host_order.push_back(host.name);
  }
  if (file.host_order.size() > most_named) names += ",...";
  file.notes.push_back("hosts are counted, not named: the launcher must take them in this order: " +
                       names);
}

std::vector<HostRun> host_runs(const Seating& seating) {
  std::vector<HostRun> runs;
  for (const Seat& seat : seating.seats) {
    if (runs.empty() || runs.back().host != seat.host) runs.push_back({seat.host, 0});
    ++runs.back().ranks;
  }
  return runs;
}

}  // namespace kith
