// Questions about communicators of the program.
#pragma once

#include "mpi/late_mpi.h"

namespace kith::runtime {

/// Neither null nor between two groups.
inline bool is_intracommunicator(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) return false;
  int is_inter = 0;
  return PMPI_Comm_test_inter(comm, &is_inter) == MPI_SUCCESS && is_inter == 0;
}

}  // namespace kith::runtime
