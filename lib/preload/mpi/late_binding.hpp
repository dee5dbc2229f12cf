// The MPI library of this process, found at run time.
//
// libkith.so refers to no symbol of libmpi: it may be preloaded into programs that never load MPI,
// or into ones that load it late and privately (a Python extension). After bind() succeeded,
// "late_mpi.h" gives PMPI_X and predefined handles under their usual names.
#pragma once

#include <atomic>

namespace kith::mpi {

/// The program's MPI library is of another kind than the one that Kith was built for (MPICH instead
/// of Open MPI, or the other way round): its handles mean nothing to us, and we keep out of its
/// way. Known from the first bind() on.
extern std::atomic<bool> other_library;

/// Whether it is, as far as MPI is loaded by now; binds nothing.
bool notice_other_library();

/// Resolves every PMPI function and handle object once; later calls cost one atomic load.
/// False when this process has no MPI library, or another kind than Kith was built for. Safe from
/// several threads.
bool bind();

/// The definition of `name` behind ours: the next in the global scope (another tool, or MPI
/// itself), else that of the MPI library loaded privately. Ends the process with one line when
/// there is none: the program calls a function that its MPI library does not have.
void* next_definition(const char* name);

/// Whether next_definition() was ever asked: the program called MPI, and we saw it.
bool some_call_came_by();

/// A data or function symbol of the MPI library; null when it has none of that name.
void* find_symbol(const char* name);

}  // namespace kith::mpi
