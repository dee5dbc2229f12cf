// Which communicator the program means when it says MPI_COMM_WORLD.
#pragma once

#include <atomic>

#include "mpi/late_mpi.h"

namespace kith::mpi {

/// The reordered world, or null while the program runs in the launcher's order. Set once, in
/// MPI_Init, before the program has communicated.
struct WorldReplacement {
  std::atomic<MPI_Comm> communicator{};
  std::atomic<bool> active{false};
};
extern WorldReplacement world_replacement;

/// `comm`, or the reordered world where the program passed MPI_COMM_WORLD. A few instructions.
inline MPI_Comm seen(MPI_Comm comm) {
  if (!world_replacement.active.load(std::memory_order_relaxed)) return comm;
  if (comm != MPI_COMM_WORLD) return comm;
  return world_replacement.communicator.load(std::memory_order_relaxed);
}

/// The communicator whose ranks the program sees as the world's. Requires bind().
inline MPI_Comm program_world() {
  return seen(MPI_COMM_WORLD);
}

}  // namespace kith::mpi
