// How MPI libraries are called, for messages.
#pragma once

#include <string>

namespace kith::mpi {

/// The library whose mpi.h we were built with: "Open MPI 4.1.4".
const char* library_built_for();

/// The library of this process, of whatever kind, as it calls itself: "Open MPI v4.1.4",
/// "MPICH 4.0.2"; empty when there is none. May be called before MPI_Init.
std::string library_found();

}  // namespace kith::mpi
