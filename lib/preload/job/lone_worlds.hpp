// Has the MPI library of this process joined the job that the launcher started?
#pragma once

#include <string>

namespace kith::preload {

/// Processes that one launcher started and whose MPI library is another one's: each of them is a
/// world of one rank, as if it had been started alone.
struct LoneWorlds {
  int worlds = 0;           ///< as many as the launcher started processes; 0: they are one world
  bool is_speaker = false;  ///< one of these processes speaks for all
  std::string reason;       ///< a sentence for the user
};

/// After PMPI_Init; local. `size`: of MPI_COMM_WORLD. By the environment that Open MPI's mpirun and
/// launchers with PMI give to each process.
LoneWorlds find_lone_worlds(int size);

}  // namespace kith::preload
