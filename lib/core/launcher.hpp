// What the launcher told this process by its environment: before, and without, an MPI library.
#pragma once

#include <array>
#include <cstdlib>

namespace kith {

/// Names of a launcher's variables for the rank of a process and for their number.
struct LauncherVariables {
  const char* rank;
  const char* size;  ///< null: none that belongs to these processes alone
};

/// In the order in which they are asked: the launchers before the services that they build on.
constexpr std::array launcher_variables{
    LauncherVariables{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
    LauncherVariables{"PMIX_RANK", nullptr}, LauncherVariables{"PMI_RANK", "PMI_SIZE"},
    LauncherVariables{"SLURM_PROCID", nullptr}};

/// As the launcher wrote it; null without a launcher. Owned by the environment.
inline const char* launched_rank() {
  for (const LauncherVariables& names : launcher_variables) {
    if (const char* const rank = std::getenv(names.rank)) return rank;
  }
  return nullptr;
}

}  // namespace kith
