// Hydra's host file: hosts with numbers of ranks, in the order of ranks.

#include <fmt/format.h>

#include "io/launch/launch_file.hpp"

namespace kith {

// Slurm's arbitrary distribution: the host of each rank, a line each.

LaunchFile slurm_hosts(const Bindings& bindings, const std::string& name, std::string_view) {
  LaunchFile file;
  for (const Binding& binding : bindings.of_rank)
    file.text += bindings.hosts[binding.host].name + "\n";
  file.command = fmt::format("SLURM_HOSTFILE={} srun -n {} --distribution=arbitrary ./app",
                             shell_word(name), bindings.of_rank.size());
  note_order_in_hosts(bindings, file);
  file.notes.emplace_back("the allocation must hold these hosts, with these numbers of tasks");
  return file;
}

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

}  // namespace kith
