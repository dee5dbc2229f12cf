// How MPI libraries are called, for messages.
#pragma once

#include <optional>
#include <string>

namespace kith::mpi {

/// The library whose mpi.h we were built with: "Open MPI 4.1.4".
const char* library_built_for();

/// The library of this process, of whatever kind, as it calls itself: "Open MPI v4.1.4",
/// "MPICH 4.0.2"; empty without an MPI library. May be called before MPI_Init.
std::string library_found();

// Open MPI's own settings, as the library has them: environment, files and defaults merged.

/// An integer parameter of Open MPI by its full name ("coll_sm_priority"), once the component that
/// owns it is loaded; nothing otherwise, nor in other libraries. Local; requires bind() and that
/// MPI is initialised. The caller knows the parameter's type.
///
/// Not through MPI's tool interface: opening that makes Open MPI load every plug-in that it has,
/// which takes seconds and stays in the process.
std::optional<int> library_number(const char* name);
/// The same for a boolean.
std::optional<bool> library_flag(const char* name);
/// The same for a text; an unset text is empty.
std::optional<std::string> library_text(const char* name);

}  // namespace kith::mpi
