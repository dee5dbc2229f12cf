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

/// From the handle that the library passes to a callback to the one that the program knows.
inline MPI_Comm named(MPI_Comm comm) {
  if (!world_replacement.active.load(std::memory_order_relaxed)) return comm;
  if (comm != world_replacement.communicator.load(std::memory_order_relaxed)) return comm;
  return MPI_COMM_WORLD;
}

/// Makes `world` the one that the program sees. Requires bind().
void replace_world(MPI_Comm world);
/// MPI_COMM_WORLD means the library's own again, as when replace_world() had not been called.
/// `kept`: the reordered one where it was not freed.
void restore_world(MPI_Comm kept);

/// Whether `comm` is the reordered world, or a duplicate of it, or of one: the library's own world
/// hands its predefined attributes down to those. Local.
bool is_world_or_duplicate(MPI_Comm comm);

/// The communicator whose ranks the program sees as the world's. Requires bind().
inline MPI_Comm program_world() {
  return seen(MPI_COMM_WORLD);
}

}  // namespace kith::mpi
