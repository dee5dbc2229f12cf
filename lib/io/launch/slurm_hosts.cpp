// Slurm's arbitrary distribution: the host of each rank, a line each.
#include <fmt/format.h>

#include "io/launch/launch_file.hpp"

namespace kith {

LaunchFile slurm_hosts(const Seating& seating, const std::string& name, std::string_view) {
  LaunchFile file;
  for (const Seat& seat : seating.seats) file.text += seating.hosts[seat.host].name + "\n";
  file.command = fmt::format("SLURM_HOSTFILE={} srun -n {} --distribution=arbitrary ./app",
                             shell_word(name), seating.seats.size());
  note_order_in_hosts(seating, file);
  file.notes.emplace_back("the allocation must hold these hosts, with these numbers of tasks");
  return file;
}

}  // namespace kith
