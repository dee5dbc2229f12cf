// Under an MPI library of another kind than ours.
#pragma once

namespace kith::interpose {

/// Where the MPI library that is loaded by now is not of the kind that Kith was built for, points
/// the program's calls of MPI at that library, past our wrappers, which would cut handles of
/// another size short; what is loaded later does not find the wrappers any more. Only MPI_Init and
/// MPI_Init_thread, which take no handles, still come by. Cheap where the library is of our kind or
/// there is none; thread safe, never fails.
void step_aside_for_other_mpi() noexcept;

}  // namespace kith::interpose
