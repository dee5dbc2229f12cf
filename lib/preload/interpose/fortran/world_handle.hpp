// MPI_COMM_WORLD as Fortran's integer handle, in both directions.
#pragma once

#include "mpi/late_mpi.h"
#include "mpi/world.hpp"

namespace kith::interpose {

inline bool world_is_replaced() {
  return mpi::world_replacement.active.load(std::memory_order_relaxed);
}

/// From the handle that the program names to the one that the library is to see.
inline MPI_Fint seen_handle(MPI_Fint comm) {
  if (!world_is_replaced() || comm != PMPI_Comm_c2f(MPI_COMM_WORLD)) return comm;
  return PMPI_Comm_c2f(mpi::program_world());
}

/// From the handle that the library passes to a callback to the one that the program knows.
inline MPI_Fint named_handle(MPI_Fint comm) {
  if (!world_is_replaced() || comm != PMPI_Comm_c2f(mpi::program_world())) return comm;
  return PMPI_Comm_c2f(MPI_COMM_WORLD);
}

}  // namespace kith::interpose
