// kith_redistribute: data follows the ranks to their new processes.
#pragma once

#include "mpi/late_mpi.h"

namespace kith::runtime {

/// What kith_redistribute() says; `from` is a communicator of one group. Throws MpiFailure where
/// members cannot talk to each other, and std::bad_alloc.
int redistribute(MPI_Comm from, MPI_Comm to, void* buffer, MPI_Count count, MPI_Datatype type);

}  // namespace kith::runtime
