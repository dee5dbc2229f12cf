// The MPI library's Fortran bindings, made to call us.
//
// Open MPI's bindings turn Fortran arguments into C ones and call PMPI_X, past every C wrapper;
// MPICH's do so for a part of mpi_f08. Their slots for PMPI_X are pointed at our MPI_X.
#pragma once

#include <link.h>

#include <string>

namespace kith::interpose {

/// Whether the library is one of these bindings, by its name. Safe where the list of libraries is
/// locked.
bool is_binding(const dl_phdr_info& library);

/// Redirects the bindings that are loaded by now; cheap when nothing was loaded since the last
/// call. Thread safe, never fails: ask bindings_obstacle() what could not be done.
void redirect_bindings() noexcept;

/// Why calls from Fortran may not reach us, as a clause; empty when all do, or none can be made.
std::string bindings_obstacle();

}  // namespace kith::interpose
