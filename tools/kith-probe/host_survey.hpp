// Who is where in the job that measures.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kith/job.hpp"

namespace kith::probe {

struct HostSurvey {
  struct Host {
    std::string name;
    std::vector<int> ranks;      ///< ascending
    std::uint32_t cores = 0;     ///< that may be used; 0: not known
    std::uint32_t hardware = 0;  ///< index below
  };
  std::vector<Host> hosts;                       ///< in the order of their first ranks
  std::vector<std::vector<std::uint32_t>> cpus;  ///< that each rank may run on
  std::vector<JobHardware> hardware;  ///< of each kind of host, without XML where not known
};

/// Collective over MPI_COMM_WORLD; rank 0's answer is the survey, the others' are empty. Hosts are
/// told apart by name. One rank of each host looks at its hardware, one of each kind sends it.
HostSurvey survey_hosts();

}  // namespace kith::probe
