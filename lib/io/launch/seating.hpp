// Who sits where, as launchers count: hosts by name, on each of them places and cores.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kith/job.hpp"
#include "kith/mapping.hpp"

namespace kith {

/// The place of a rank.
struct Seat {
  std::uint32_t host = 0;   ///< index into Seating::hosts
  std::uint32_t place = 0;  ///< among the places of its host, from 0
  CpuSet cores = {};        ///< by hwloc's logical numbers; empty: not known
};

struct SeatingHost {
  std::string name;
  std::uint32_t places = 0;  ///< that the job has there
  std::uint32_t ranks = 0;   ///< that sit there
};

struct Seating {
  std::vector<SeatingHost> hosts;  ///< in the launcher's order
  std::vector<Seat> seats;         ///< by rank
};

/// What launchers need of a mapping. On the machine "job" the places are those of the job's
/// processes, with the cores that they were bound to (not bound: all of the host), and hosts are in
/// the order of their first processes; `job` describes it. On others places are the allowed slots
/// of a node, the k-th one on its core k. Throws Error (input) naming `option` where the machine
/// has no host names, or such that no launcher could tell apart.
Seating seating_of(const Mapping& mapping, const Machine& machine, const JobDescription* job,
                   std::string_view option);

}  // namespace kith
