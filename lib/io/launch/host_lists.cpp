// Hydra's host file: hosts with numbers of ranks, in the order of ranks.

#include <fmt/format.h>

#include "io/launch/launch_file.hpp"

namespace kith {

// Slurm's arbitrary distribution: the host of each rank, a line each.

LaunchFile slurm_hosts(const Seating& seating, const std::string& name, std::string_view) {
  LaunchFile file;
  for (const Seat& seat : seating.seats) file.text += seating.hosts[seat.host].name + "\n";
  file.command = fmt::format("SLURM_HOSTFILE={} srun -n {} --distribution=arbitrary ./app",
                             shell_word(name), seating.seats.size());
  note_order_in_hosts(seating, file);
  file.notes.emplace_back("the allocation must hold these hosts, with these numbers of tasks");
  return file;
}

LaunchFile hydra_hosts(const Seating& seating, const std::string& name, std::string_view) {
  LaunchFile file;
  const std::vector<HostRun> runs = host_runs(seating);
  std::vector<std::uint32_t> times(seating.hosts.size(), 0);
  bool is_interleaved = false;
  for (const HostRun& run : runs) {
    file.text += fmt::format("{}:{}\n", seating.hosts[run.host].name, run.ranks);
    is_interleaved = is_interleaved || ++times[run.host] > 1;
  }
  // Not -f: Intel MPI documents counts for -machinefile only.
  file.command =
      fmt::format("mpiexec -n {} -machinefile {} ./app", seating.seats.size(), shell_word(name));
  note_order_in_hosts(seating, file);
  if (is_interleaved) {
    file.notes.emplace_back(
        "hosts stand in several lines, each of which MPICH takes for a host of its own: ranks of "
        "one host in different lines do not talk through shared memory; kith run --reorder avoids "
        "that");
  }
  return file;
}

}  // namespace kith
